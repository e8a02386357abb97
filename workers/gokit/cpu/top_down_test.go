package cpu

import (
	"os"
	"path/filepath"
	"testing"
)

func machineWith(t *testing.T, files map[string]string) (events []event, slots uint64) {
	t.Helper()
	root := t.TempDir()
	for path, text := range files {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return topDown(root)
}

func TestIntelsTopDownEventsAreThoseThatTheKernelNames(t *testing.T) {
	const folder = "sys/bus/event_source/devices/cpu/events/"
	files := map[string]string{
		folder + "slots":            "event=0x00,umask=0x4\n",
		folder + "topdown-retiring": "event=0x00,umask=0x80\n",
		folder + "topdown-bad-spec": "event=0x00,umask=0x81\n",
		folder + "topdown-fe-bound": "event=0x00,umask=0x82\n",
		folder + "topdown-be-bound": "event=0x00,umask=0x83\n",
	}
	events, _ := machineWith(t, files)
	if len(events) != 5 || events[0].config != 0x400 || events[4].config != 0x8300 {
		t.Errorf("%+v", events)
	}
	delete(files, folder+"slots")
	if events, _ := machineWith(t, files); events != nil {
		t.Errorf("without slots: %+v", events)
	}
}

func TestAMDsAndArmsTopDownEventsAreToldByTheCore(t *testing.T) {
	has := func(family, model string) bool {
		text := "vendor_id\t: AuthenticAMD\ncpu family\t: " + family + "\nmodel\t\t: " + model + "\n\nvendor_id\t: x\n"
		events, _ := machineWith(t, map[string]string{"proc/cpuinfo": text})
		return len(events) > 0
	}
	if !has("25", "17") || !has("25", "160") || !has("26", "2") {
		t.Error("Genoa, Bergamo and Turin have them")
	}
	if has("25", "1") || has("25", "33") || has("23", "49") {
		t.Error("Milan, Vermeer and Rome don't")
	}
	caps := "sys/bus/event_source/devices/armv8_pmuv3_0/caps/slots"
	if events, slots := machineWith(t, map[string]string{caps: "0x00000008\n"}); slots != 8 || len(events) != 5 {
		t.Errorf("%d slots, %+v", slots, events)
	}
	if events, slots := machineWith(t, map[string]string{caps: "0x0\n"}); slots != 0 || events != nil {
		t.Errorf("%d slots, %+v", slots, events)
	}
}

func TestWhatIsNoEventMakesNoConfig(t *testing.T) {
	for _, text := range []string{"", "event=", "event=0x1000", "umask=0x4,edge=1", "event=0x0,umask=0xzz"} {
		if _, ok := rawConfig(text); ok {
			t.Errorf("%q", text)
		}
	}
}
