package main

import "strings"

// replacement is one of Go's own benchmarks of strings.Replacer (strings/replace_test.go): one for
// each of its three algorithms.
type replacement struct {
	pairs []string // old, new, old, new, …
	text  string
}

var (
	// BenchmarkGenericMatch2: strings of several bytes use the generic algorithm.
	genericReplacement = replacement{
		pairs: []string{"&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&apos;", "'"},
		text:  strings.Repeat("It&apos;s &lt;b&gt;HTML&lt;/b&gt;!", 100),
	}
	// BenchmarkByteByteMatch: a table of 256 bytes.
	byteToByteReplacement = replacement{
		pairs: []string{"a", "A", "b", "B"},
		text:  strings.Repeat("a", 100) + strings.Repeat("b", 100),
	}
	// BenchmarkByteStringMatch: a table of 256 strings.
	byteToStringReplacement = replacement{
		pairs: []string{"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;"},
		text:  "<" + strings.Repeat("a", 99) + strings.Repeat("b", 99) + ">",
	}
)

// planReplacer plans Replace with a replacer that is made beforehand.
func planReplacer(r replacement) func(*job) (*plan, error) {
	return func(*job) (*plan, error) {
		return &plan{
			BytesPerOp: int64(len(r.text)),
			Verified:   "the replaced text matches a one-by-one replacement",
			Libraries:  []string{libraryGo},
			Instantiate: func() (instance, error) {
				return &replacerInstance{
					replacer: strings.NewReplacer(r.pairs...),
					text:     strings.Clone(r.text),
					expected: []byte(r.oneByOne()),
				}, nil
			},
		}, nil
	}
}

// oneByOne replaces without the library: at every position the first match.
func (r replacement) oneByOne() string {
	var made strings.Builder
	for rest := r.text; rest != ""; {
		old, by := rest[:1], rest[:1]
		for i := 0; i < len(r.pairs); i += 2 {
			if strings.HasPrefix(rest, r.pairs[i]) {
				old, by = r.pairs[i], r.pairs[i+1]
				break
			}
		}
		made.WriteString(by)
		rest = rest[len(old):]
	}
	return made.String()
}

type replacerInstance struct {
	replacer *strings.Replacer
	text     string
	expected []byte
	replaced int // bytes of the last result: depends on every op
}

func (r *replacerInstance) Op() error {
	r.replaced = len(r.replacer.Replace(r.text))
	return nil
}

func (r *replacerInstance) Output() ([]byte, error) {
	return []byte(r.replacer.Replace(r.text)), nil
}

func (r *replacerInstance) Check(output []byte) error {
	return mustEqual("the replaced text", output, r.expected)
}
