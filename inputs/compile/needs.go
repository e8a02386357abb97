// Package syntax parses regular expressions.
package syntax

type stringsBuilder struct{ bytes []byte }

func (b *stringsBuilder) String() string        { return string(b.bytes) }
func (b *stringsBuilder) Len() int              { return len(b.bytes) }
func (b *stringsBuilder) WriteByte(c byte)      { b.bytes = append(b.bytes, c) }
func (b *stringsBuilder) WriteRune(r rune)      { b.bytes = append(b.bytes, string(r)...) }
func (b *stringsBuilder) WriteString(s string)  { b.bytes = append(b.bytes, s...) }
func stringsContainsRune(s string, r rune) bool { return stringsIndexRune(s, r) >= 0 }

func stringsIndexRune(s string, r rune) int {
	for i, c := range s {
		if c == r {
			return i
		}
	}
	return -1
}

func stringsIndex(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if s[i:i+len(part)] == part {
			return i
		}
	}
	return -1
}

func stringsCut(s, sep string) (before, after string, found bool) {
	if i := stringsIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

func strconvFormatUint(n uint64, base int) string {
	var digits [64]byte
	at := len(digits)
	for {
		at--
		digits[at] = "0123456789abcdefghijklmnopqrstuvwxyz"[n%uint64(base)]
		n /= uint64(base)
		if n == 0 {
			return string(digits[at:])
		}
	}
}

func strconvFormatInt(n int64, base int) string {
	if n < 0 {
		return "-" + strconvFormatUint(-uint64(n), base)
	}
	return strconvFormatUint(uint64(n), base)
}

func strconvItoa(n int) string { return strconvFormatInt(int64(n), 10) }

func strconvQuoteToASCII(s string) string {
	quoted := []byte{'"'}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			quoted = append(quoted, '\\', byte(r))
		case ' ' <= r && r <= '~':
			quoted = append(quoted, byte(r))
		default:
			quoted = append(quoted, `\x{`+strconvFormatInt(int64(r), 16)+"}"...)
		}
	}
	return string(append(quoted, '"'))
}

func slicesEqual[S ~[]E, E comparable](a, b S) bool {
	return slicesEqualFunc(a, b, func(a, b E) bool { return a == b })
}

func slicesEqualFunc[S1 ~[]E1, S2 ~[]E2, E1, E2 any](a S1, b S2, equal func(E1, E2) bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !equal(a[i], b[i]) {
			return false
		}
	}
	return true
}

type sortInterface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

func sortSort(data sortInterface) {
	down := func(root, end int) {
		for child := 2*root + 1; child < end; child = 2*root + 1 {
			if child+1 < end && data.Less(child, child+1) {
				child++
			}
			if !data.Less(root, child) {
				return
			}
			data.Swap(root, child)
			root = child
		}
	}
	n := data.Len()
	for i := n/2 - 1; i >= 0; i-- {
		down(i, n)
	}
	for i := n - 1; i >= 0; i-- {
		data.Swap(0, i)
		down(0, i)
	}
}

func sortFind(n int, compare func(int) int) (i int, found bool) {
	low, high := 0, n
	for low < high {
		middle := int(uint(low+high) >> 1)
		if compare(middle) > 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < n && compare(low) == 0
}

type syncOnce struct{ done bool }

func (o *syncOnce) Do(f func()) {
	if !o.done {
		f()
		o.done = true
	}
}

const (
	utf8RuneError  = '\uFFFD'
	utf8RuneSelf   = 0x80
	unicodeMaxRune = '\U0010FFFF'
)

func utf8DecodeRuneInString(s string) (r rune, size int) {
	for i, r := range s {
		if i > 0 {
			return []rune(s[:i])[0], i
		}
		if r == utf8RuneError {
			return r, 1
		}
	}
	if s == "" {
		return utf8RuneError, 0
	}
	return []rune(s)[0], len(s)
}

type unicodeRange16 struct{ Lo, Hi, Stride uint16 }

type unicodeRange32 struct{ Lo, Hi, Stride uint32 }

type unicodeRangeTable struct {
	R16 []unicodeRange16
	R32 []unicodeRange32
}

var (
	unicodeCategories      = map[string]*unicodeRangeTable{"Lu": {R16: []unicodeRange16{{'A', 'Z', 1}}}}
	unicodeCategoryAliases = map[string]string{"Uppercase_Letter": "Lu"}
	unicodeFoldCategory    = map[string]*unicodeRangeTable{"Lu": {R16: []unicodeRange16{{'a', 'z', 1}}}}
	unicodeFoldScript      = map[string]*unicodeRangeTable{}
	unicodeScripts         = map[string]*unicodeRangeTable{"Latin": {R16: []unicodeRange16{{'A', 'Z', 1}, {'a', 'z', 1}}}}
	unicodeCn              = &unicodeRangeTable{R32: []unicodeRange32{{0xe01f0, 0xeffff, 1}}}
)

func unicodeIsPrint(r rune) bool { return ' ' <= r && r <= '~' || r > 0xa0 }

func unicodeSimpleFold(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r - 'A' + 'a'
	case 'a' <= r && r <= 'z':
		return r - 'a' + 'A'
	}
	return r
}
