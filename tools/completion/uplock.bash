# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of `uplock` in bash. Where it has nothing to offer, bash completes
# file names by itself.

_uplock() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local subcommand=${COMP_WORDS[1]} words="" done=""
  # bash makes three words of --cover=rmw.
  if [ "$current" = = ]; then
    current=
  elif [ "$before" = = ]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    words="list check patch scan bench --help --help-all --version"
  elif [ "$subcommand $before" = "check --cover" ]; then
    words="rmw fence store exchange asm all"
  elif [ "$subcommand $before" = "scan --cover" ]; then
    words="rmw fence"
  elif [[ $current == -* ]]; then
    case $subcommand in
    list) words="--locks --summary --json" ;;
    check) words="--complete --cover --allow --allow-file --quiet" ;;
    patch) words="--up --smp --output --preserve-times --quiet" ;;
    scan) words="--output --function --cover --quiet" ;;
    bench) words="--json" ;;
    esac
    words="$words --help --help-all"
  fi
  # A list: what is before the last comma stays.
  if [[ $before == --cover && $current == *,* ]]; then
    done=${current%,*},
  fi
  mapfile -t COMPREPLY < <(compgen -P "$done" -W "$words" -- "${current#"$done"}")
}

complete -o bashdefault -o default -F _uplock uplock
