# shellcheck shell=bash disable=SC2016,SC2154
# Hosts for tests: each a network namespace with an sshd of its own, its own processes, /home, /tmp and host key. They share
# one network with the controller, whose namespace they are reached from. Needs root. Sourced by four-hosts.
#
# $home is the release folder, $sizeup the controller's program. set_up makes $work, where all files are, and $mark, with which the
# names of namespaces and cgroups begin.

# lacks WHAT: nothing can be shown here.
lacks() {
  echo "skipped: $(basename "$0") needs $1"
  exit 77
}

# set_up: checks what is needed, and makes $work with the controller's folder and key.
set_up() {
  [ "$(id -u)" = 0 ] || lacks "root, for network namespaces and cgroups"
  local program
  for program in ip nsenter unshare ssh ssh-keygen pgrep /usr/sbin/sshd; do
    command -v "$program" > /dev/null || lacks "$program"
  done
  command -v ansible-playbook > /dev/null || lacks "ansible-playbook in PATH (fleet/requirements.txt)"
  [ -d "$home/share/sizeup/ansible_collections" ] || lacks "a release folder with the collection: make build"
  mark=sizeup-fleet-$$
  ip netns add "$mark" 2> /dev/null || lacks "the right to make network namespaces"
  ip netns del "$mark"
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    grep -qw cpu /sys/fs/cgroup/cgroup.subtree_control || lacks "cgroups with quotas of CPU time"
  else
    [ -w /sys/fs/cgroup/cpu/cgroup.procs ] || lacks "cgroups with quotas of CPU time"
  fi
  work=$(mktemp -d)
  chmod 755 "$work"
  trap 'stop_hosts; rm -rf "$work"' EXIT
  mkdir "$work/controller"
  ssh-keygen -q -t ed25519 -N '' -f "$work/key"
}

# fleet ARGUMENT…: sizeup on the controller. Its HOME is its own: the user's Ansible is left alone.
fleet() {
  (cd "$work/controller" && control env HOME="$work/controller" SIZEUP_HOME="$home" "$sizeup" "$@")
}

fail() {
  echo "FAILED: $1" >&2
  for log in "$work"/run-*.log; do sed "s,^,  ${log##*/}: ," "$log" >&2; done
  exit 1
}

# says FILE TEXT: a file holds a text.
says() {
  grep -qF -- "$2" "$work/$1" || fail "$1 does not say: $2"
}

# await WHAT SECONDS COMMAND…: until the command succeeds.
await() {
  local what=$1 end=$((SECONDS + $2))
  shift 2
  until "$@" > /dev/null 2>&1; do
    [ $SECONDS -lt $end ] || fail "in vain: $what"
    sleep 0.2
  done
}

# know_hosts HOST…: the controller knows their keys.
know_hosts() {
  local host
  for host in "$@"; do
    echo "$(address "$host") $(cut -d ' ' -f 1,2 "$work/$host/etc/host_key.pub")"
  done > "$work/known_hosts"
}

# connection: what an inventory says of all hosts.
connection() {
  cat <<INVENTORY
[all:vars]
ansible_user=fleet
ansible_ssh_private_key_file=$work/key
ansible_ssh_common_args="-o UserKnownHostsFile=$work/known_hosts -o ServerAliveInterval=3 -o ServerAliveCountMax=2"
sizeup_poll_seconds=2
sizeup_lost_seconds=40
sizeup_doctor_seconds=5
INVENTORY
}

# is_clean HOST: nothing is left on it. HOST.before lists what was there.
is_clean() {
  diff "$work/$1.before" <(files "$1") && [ -z "$(processes "$1")" ]
}

# start_network: the controller's end.
start_network() {
  ip netns add "$mark-control"
  control ip link set lo up
  control ip link add bridge type bridge
  control ip addr add 10.231.77.254/24 dev bridge
  control ip link set bridge up
}

# control COMMAND…: on the controller.
control() {
  nsenter --net="/run/netns/$mark-control" "$@"
}

# address HOST: where the others reach it.
address() {
  ip -n "$mark-$1" -4 -o addr show eth0 | sed 's,.*inet \([0-9.]*\)/.*,\1,'
}

# plug_in HOST NUMBER [ATTACK]: its network, its disk and its host key; a hostile one's login shell attacks.
plug_in() {
  local host=$1 number=$2 attack=${3:-} shell=/bin/sh
  hosts="${hosts:-} $host"
  ip netns add "$mark-$host"
  ip -n "$mark-control" link add "to-$host" type veth peer name eth0 netns "$mark-$host"
  ip -n "$mark-control" link set "to-$host" master bridge up
  ip -n "$mark-$host" addr add "10.231.77.$number/24" dev eth0
  ip -n "$mark-$host" link set eth0 up
  ip -n "$mark-$host" link set lo up
  local disk=$work/$host
  mkdir -p "$disk/home/fleet/.ssh" "$disk/tmp" "$disk/var-tmp" "$disk/etc"
  chmod 1777 "$disk/tmp" "$disk/var-tmp"
  install -m 600 "$work/key.pub" "$disk/home/fleet/.ssh/authorized_keys"
  if [ -n "$attack" ]; then
    shell=/home/fleet/shell
    install -m 755 "$root/fleet/tests/hostile-shell" "$disk$shell"
    echo "$attack" > "$disk/home/fleet/attack"
    echo "$work/controller/canary" > "$disk/home/fleet/canary"
  fi
  chown -R 4321:4321 "$disk/home/fleet"
  chmod -R go-rwx "$disk/home/fleet"
  { grep -v '^fleet:' /etc/passwd; echo "fleet:x:4321:4321::/home/fleet:$shell"; } > "$disk/etc/passwd"
  { grep -v '^fleet:' /etc/group; echo 'fleet:x:4321:'; } > "$disk/etc/group"
  { grep -v '^fleet:' /etc/shadow; echo 'fleet:*:19000:0:99999:7:::'; } > "$disk/etc/shadow"
  chmod 640 "$disk/etc/shadow"
  ssh-keygen -q -t ed25519 -N '' -f "$disk/etc/host_key"
  cat > "$disk/etc/sshd_config" <<CONFIG
HostKey /etc/ssh/host_key
PidFile none
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
Subsystem sftp internal-sftp
CONFIG
}

# quota HOST PERCENT: how much of a CPU it gets, by cgroup.
quota() {
  local host=$1 microseconds=$(($2 * 1000))
  if [ -e /sys/fs/cgroup/cgroup.controllers ]; then
    mkdir "/sys/fs/cgroup/$mark-$host"
    echo "$microseconds 100000" > "/sys/fs/cgroup/$mark-$host/cpu.max"
  else
    mkdir "/sys/fs/cgroup/cpu/$mark-$host"
    echo "$microseconds" > "/sys/fs/cgroup/cpu/$mark-$host/cpu.cfs_quota_us"
  fi
}

# boot HOST: its processes. What it had on disk is still there.
boot() {
  local host=$1 disk=$work/$1 group
  : > "$disk/sshd.log"
  for group in /sys/fs/cgroup/{,cpu/}$mark-$host/cgroup.procs; do
    [ ! -e "$group" ] || break
  done
  (
    # The shell that becomes the host: all that it starts has its quota.
    [ ! -e "$group" ] || echo "$BASHPID" > "$group"
    # Not `ip netns exec`, which puts another /sys over the one that shows the quota.
    exec nsenter --net="/run/netns/$mark-$host" unshare --mount --uts --pid --fork --kill-child --mount-proc bash -c '
      hostname "$1"
      for file in passwd group shadow; do mount --bind "$2/etc/$file" "/etc/$file"; done
      mount --bind "$2/home" /home
      mount -t tmpfs tmpfs /run
      mkdir /run/sshd
      mount --bind "$2/var-tmp" /var/tmp
      mount --bind "$2/etc" /etc/ssh
      mount --bind "$2/tmp" /tmp
      exec /usr/sbin/sshd -D -e' boot "$host" "$disk"
  ) >> "$disk/sshd.log" 2>&1 < /dev/null &
  echo $! > "$disk/pid"
  # The shell need not say that it was killed.
  disown
  local try
  for try in {1..100}; do
    if grep -q 'Server listening' "$disk/sshd.log"; then return; fi
    sleep 0.1
  done
  echo "host $host does not boot (try $try): $(cat "$disk/sshd.log")" >&2
  return 1
}

# pull_the_plug HOST: kills all its processes at once.
pull_the_plug() {
  local pid
  pid=$(cat "$work/$1/pid")
  kill -KILL "$pid" 2> /dev/null || true
  while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done
  rm "$work/$1/pid"
}

# processes HOST: the programs that its user runs, but not sshd's, which lasts as long as the controller's connection.
processes() {
  pgrep --ns "$(pgrep -P "$(cat "$work/$1/pid")" | head -n 1)" --nslist pid -u 4321 -a | grep -v ' sshd: ' || true
}

# files HOST: what lies in the folders that its user can write.
files() {
  (cd "$work/$1" && find home tmp var-tmp | sort)
}

# stop_hosts: all that was started and made, but not $work.
stop_hosts() {
  local host group
  for host in ${hosts:-}; do
    [ ! -e "$work/$host/pid" ] || pull_the_plug "$host"
    ip netns del "$mark-$host" 2> /dev/null || true
    for group in "/sys/fs/cgroup/$mark-$host" "/sys/fs/cgroup/cpu/$mark-$host"; do
      # Its processes are killed, but the kernel takes a while to be rid of them.
      [ ! -d "$group" ] || await "$group is empty" 10 rmdir "$group"
    done
  done
  ip netns del "$mark-control" 2> /dev/null || true
}
