package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestThePulseHasTheNumbersOfTheProtocol(t *testing.T) {
	p := takePulse()
	if p.ClockOps*kernels.ClockCyclesPerOp != 1_800_000 || p.WidthOps != 6_000_000 {
		t.Errorf("%+v of %+v", p, kernels)
	}
	if p.ClockNS <= 0 || p.WidthNS <= 0 {
		t.Errorf("%+v took no time", p)
	}
	if clockOps%clockUnrolled != 0 || widthOps%widthUnrolled != 0 {
		t.Error("the rounds don't come out even")
	}
}

// instruction is a line of assembly that starts with a mnemonic of the kernels.
var instruction = regexp.MustCompile(`^\s*(IMULL|EOR|ADDQ|ADD) `)

// TestAPulseRoundHasAsManyInstructionsAsIsCounted reads the assembly of both
// architectures: nothing else would notice a line too many.
func TestAPulseRoundHasAsManyInstructionsAsIsCounted(t *testing.T) {
	for file, expected := range map[string]map[string]int{
		"pulse_amd64.s": {"chainClock": 20, "fillWidth": 80},
		"pulse_arm64.s": {"chainClock": 40, "fillWidth": 80},
	} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lengths := map[string]int{} // instructions of each macro
		counts := map[string]int{}  // and of each function
		var macro, function string
		for line := range strings.Lines(string(content)) {
			line = strings.TrimRight(line, "\n")
			word := strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "#define "):
				macro = strings.Fields(line)[1]
			case strings.HasPrefix(line, "TEXT ·"):
				function, _, _ = strings.Cut(strings.TrimPrefix(line, "TEXT ·"), "(")
			case macro != "" && instruction.MatchString(line):
				lengths[macro]++
			case lengths[word] > 0:
				counts[function] += lengths[word]
			case instruction.MatchString(line):
				counts[function]++
			}
			if !strings.HasSuffix(line, `\`) {
				macro = ""
			}
		}
		for name, count := range expected {
			if counts[name] != count {
				t.Errorf("%s: %s has %d instructions a round, not %d", file, name, counts[name], count)
			}
		}
	}
	if clockUnrolled != map[int]int{600_000: 20, 1_800_000: 40}[clockOps] || widthUnrolled != 80 {
		t.Error("the constants of this architecture say otherwise")
	}
}
