package split

import (
	"slices"
	"testing"

	"sizeup/gokit/cpu"
)

func TestServerAndClientGetTheirSharesAndSiblingsStayTogether(t *testing.T) {
	for _, c := range []struct {
		name           string
		cores          [][]int
		percent        int64
		server, client []int
	}{
		{"one CPU is shared", [][]int{{3}}, 50, []int{3}, []int{3}},
		{"two CPUs", [][]int{{0}, {1}}, 50, []int{0}, []int{1}},
		{"two siblings of one core", [][]int{{0, 1}}, 50, []int{0}, []int{1}},
		{"two cores with siblings", [][]int{{0, 2}, {1, 3}}, 50, []int{0, 2}, []int{1, 3}},
		{"a third of six", [][]int{{0}, {1}, {2}, {3}, {4}, {5}}, 33, []int{0, 1}, []int{2, 3, 4, 5}},
		{"a small share is still one CPU", [][]int{{0}, {1}, {2}}, 1, []int{0}, []int{1, 2}},
		{"the client keeps one", [][]int{{0}, {1}, {2}}, 99, []int{0, 1}, []int{2}},
		{"three cores with siblings", [][]int{{0, 3}, {1, 4}, {2, 5}}, 50, []int{0, 3}, []int{1, 4, 2, 5}},
	} {
		server, client := divide(c.cores, c.percent)
		if !slices.Equal(server, c.server) || !slices.Equal(client, c.client) {
			t.Errorf("%s: %v and %v, not %v and %v", c.name, server, client, c.server, c.client)
		}
	}
}

func TestADuplicateCPUCountsOnce(t *testing.T) {
	cpus, err := cpu.Allowed()
	if err != nil {
		t.Fatal(err)
	}
	server, client := CPUs([]int{cpus[0], cpus[0]}, 50)
	if !slices.Equal(server, cpus[:1]) || !slices.Equal(client, cpus[:1]) {
		t.Error(server, client)
	}
}

func TestListsOfCPUsAreParsed(t *testing.T) {
	if got := parseList("0-2,8\n"); !slices.Equal(got, []int{0, 1, 2, 8}) {
		t.Error(got)
	}
	if got := parseList(""); got != nil {
		t.Error(got)
	}
}
