package daemon

import "fmt"

// Unavailable is an error that names what is missing on this machine, and says what to install.
type Unavailable struct{ What, Remedy string }

func (u *Unavailable) Error() string { return u.What }

// Missing makes an Unavailable.
func Missing(remedy, format string, args ...any) error {
	return &Unavailable{fmt.Sprintf(format, args...), remedy}
}
