#!/usr/bin/env bash
# opensm_fabric.sh DIRECTORY: has the real OpenSM and ibnetdiscover make a fabric in ibsim: eight nodes of two adapters,
# two leaves for each rail, two spines, two cables from a leaf to a spine. Writes before.fabric, before.lfts; unplugs the
# second cable from leaf-p1-r1 to spine-0; writes after.fabric, after.lfts. Exit 77: the tools are missing.
set -euo pipefail
PATH=$PATH:/usr/sbin
for tool in ibsim ibsim-run opensm ibnetdiscover dump_lfts; do
  command -v "$tool" >/dev/null || { echo "$tool is missing (Debian: ibsim-utils, opensm, infiniband-diags)"; exit 77; }
done
cd "$1"
{
  for pod in 0 1; do for rail in 0 1; do
    printf 'Switch\t32 "leaf-p%d-r%d"\n' "$pod" "$rail"
    for i in 0 1 2 3; do printf '[%d]\t"node%d mlx5_%d"[1]\n' $((i + 1)) $((4 * pod + i)) "$rail"; done
    for spine in 0 1; do for cable in 1 2; do
      printf '[%d]\t"spine-%d"[%d]\n' $((4 + 2 * spine + cable)) "$spine" $((4 * pod + 2 * rail + cable))
    done; done
    printf '\n'
  done; done
  for spine in 0 1; do
    printf 'Switch\t32 "spine-%d"\n' "$spine"
    for pod in 0 1; do for rail in 0 1; do for cable in 1 2; do
      printf '[%d]\t"leaf-p%d-r%d"[%d]\n' $((4 * pod + 2 * rail + cable)) "$pod" "$rail" $((4 + 2 * spine + cable))
    done; done; done
    printf '\n'
  done
  for node in 0 1 2 3 4 5 6 7; do for rail in 0 1; do
    printf 'Hca\t1 "node%d mlx5_%d"\n[1]\t"leaf-p%d-r%d"[%d]\n\n' "$node" "$rail" $((node / 4)) "$rail" $((node % 4 + 1))
  done; done
} >netlist
export IBSIM_SOCKNAME=toposim_$$ SIM_HOST='node0 mlx5_0'
mkfifo commands
ibsim -s netlist <commands >ibsim.log 2>&1 &
simulator=$!
exec 3>commands  # ibsim ends when this is closed
trap 'exec 3>&-; kill "$simulator" 2>/dev/null || true' EXIT
sleep 0.5
look() {
  timeout 60 ibsim-run opensm -o -f opensm.log >opensm.out 2>&1 || { echo "opensm failed"; cat opensm.out; exit 1; }
  timeout 60 ibsim-run ibnetdiscover >"$1.fabric"
  timeout 60 ibsim-run dump_lfts >"$1.lfts" 2>/dev/null
}
look before
echo 'Unlink "leaf-p1-r1"[6]' >&3
sleep 0.3
look after
