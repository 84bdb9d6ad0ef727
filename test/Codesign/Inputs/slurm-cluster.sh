#!/usr/bin/env bash
# Runs a command beside a Slurm cluster of one node, this machine, on loopback:
#
#   slurm-cluster.sh DIR COMMAND...
#
# The cluster's files stand in DIR, which is emptied. SLURM_CONF is set for the
# command. As root, and with Debian's slurm-wlm and munge.
set -euo pipefail

dir=$1
shift
rm -rf "$dir"
mkdir -p "$dir"/{state,spool,log,run}
# A socket's path may have 107 characters; a build tree's may have more.
socket=$(mktemp -d /tmp/fadiff-munge.XXXXXX)
chmod 755 "$socket"

finish() {
  for daemon in slurmd slurmctld munged; do
    [[ ! -s $dir/run/$daemon.pid ]] || kill "$(<"$dir/run/$daemon.pid")" 2>/dev/null || true
  done
  rm -rf "$socket"
}
trap finish EXIT

# Two ports that nobody has.
read -r control node < <(python3 -c '
import socket
both = [socket.socket() for _ in range(2)]
for one in both:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in both))')

host=$(hostname -s)
cat >"$dir/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$control
SlurmdPort=$node
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$socket/munge
CryptoType=crypto/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.pid
SlurmdSpoolDir=$dir/spool
StateSaveLocation=$dir/state
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$dir/slurm.conf

head -c 128 /dev/urandom >"$dir/munge.key"
chmod 400 "$dir/munge.key"
munged --force --key-file="$dir/munge.key" --socket="$socket/munge" \
  --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged.log" \
  --seed-file="$dir/run/munged.seed"
slurmctld -c
slurmd -c -N "$host"
for _ in $(seq 150); do
  state=$(sinfo --noheader --format=%t 2>/dev/null || true)
  [[ $state != idle* ]] || break
  sleep 0.2
done
if [[ $state != idle* ]]; then
  echo "slurm-cluster.sh: error: wanted an idle node, found '$state'" >&2
  cat "$dir"/log/*.log >&2
  exit 1
fi
"$@"
