package main

import (
	"math/bits"

	"github.com/chmduquesne/rollinghash/buzhash32"
)

// windowPlaces is what each byte contributes (by exclusive or) to the hash of a window at each
// position: the definition of both rolling hashes, without rolling.
type windowPlaces [splitWindow][256]uint64

func (p *windowPlaces) hash(window []byte) (hash uint64) {
	for place, b := range window {
		hash ^= p[place][b]
	}
	return hash
}

// cutAnew cuts by the definition: it hashes the window anew at each byte.
func (s splitShape) cutAnew(data []byte, places *windowPlaces) (cuts []int) {
	for from := 0; from < len(data); {
		end := min(from+s.least, len(data))
		most := min(from+s.most, len(data))
		for end < most && places.hash(data[end-splitWindow:end])%uint64(s.average) != 0 {
			end++
		}
		cuts = append(cuts, end)
		from = end
	}
	return cuts
}

// buzhashPlaces is the cyclic polynomial: each byte's number, rotated by the number of bytes that
// follow it.
func buzhashPlaces() *windowPlaces {
	var places windowPlaces
	for b, number := range buzhash32.GenerateHashes(1) {
		for place := range places {
			places[place][b] = uint64(bits.RotateLeft32(number, splitWindow-1-place))
		}
	}
	return &places
}

// rabinKarpPlaces is remainders of polynomials over GF(2), of each byte at its position.
func rabinKarpPlaces() *windowPlaces {
	const degree = 53 // of the polynomial
	var places windowPlaces
	for b := range 256 {
		remainder := uint64(b)
		for place := splitWindow - 1; place >= 0; place-- {
			places[place][b] = remainder
			for range 8 { // times x
				if remainder <<= 1; remainder>>degree != 0 {
					remainder ^= rabinKarpPolynomial
				}
			}
		}
	}
	return &places
}
