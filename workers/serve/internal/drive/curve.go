package drive

import "os"

// Hybrid is the key exchange of TLS 1.3 that also holds against quantum computers.
const Hybrid = "X25519MLKEM768"

// Offer has this process's clients offer a key exchange. They offer hybrid ones only if GODEBUG says so, and main
// says no. Then a client's hello also has a share of X25519, which is half of the hybrid's and costs nothing more.
func Offer(curve string) error {
	if curve != Hybrid {
		return nil
	}
	options := "tlsmlkem=1" // of two settings the last holds
	if given := os.Getenv("GODEBUG"); given != "" {
		options = given + "," + options
	}
	return os.Setenv("GODEBUG", options)
}
