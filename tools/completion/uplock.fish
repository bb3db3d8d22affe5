# SPDX-License-Identifier: GPL-3.0-or-later
#
# Completion of `uplock` in fish.

complete -c uplock -s h -l help -d 'print the help'
complete -c uplock -l help-all -d 'print the help of all subcommands'
complete -c uplock -n __fish_use_subcommand -l version -d 'print the version'
complete -c uplock -n __fish_use_subcommand -f -a list -d 'show every site of the table'
complete -c uplock -n __fish_use_subcommand -f -a check -d 'prove that the table is exact'
complete -c uplock -n __fish_use_subcommand -f -a patch -d 'write files for one CPU, or for many again'
complete -c uplock -n __fish_use_subcommand -f -a scan -d 'write files with a table for what is locked in them'
complete -c uplock -n __fish_use_subcommand -f -a bench -d 'measure what locked instructions cost here'

complete -c uplock -n '__fish_seen_subcommand_from list' -l locks -d 'show also what has no entry'
complete -c uplock -n '__fish_seen_subcommand_from list' -l summary -d 'show how many there are'
complete -c uplock -n '__fish_seen_subcommand_from list' -l json -d 'write JSON'
complete -c uplock -n '__fish_seen_subcommand_from bench' -l json -d 'write JSON'

complete -c uplock -n '__fish_seen_subcommand_from check' -l complete -d 'demand that nothing is without an entry'
complete -c uplock -n '__fish_seen_subcommand_from check' -l cover -x -a '(__fish_append , rmw fence store exchange asm all)' -d 'the kinds that must be complete'
complete -c uplock -n '__fish_seen_subcommand_from check' -l allow -x -d 'functions that are excused'
complete -c uplock -n '__fish_seen_subcommand_from check' -l allow-file -r -d 'a file of such functions'
complete -c uplock -n '__fish_seen_subcommand_from check' -s q -l quiet -d 'print findings only'

complete -c uplock -n '__fish_seen_subcommand_from patch' -l up -d 'unlock, for one CPU'
complete -c uplock -n '__fish_seen_subcommand_from patch' -l smp -d 'lock again'
complete -c uplock -n '__fish_seen_subcommand_from patch' -l preserve-times -d 'keep the time of the last change'
complete -c uplock -n '__fish_seen_subcommand_from patch scan' -s o -l output -r -d 'write to this file or directory'
complete -c uplock -n '__fish_seen_subcommand_from patch' -s q -l quiet -d 'print only what does not hold'

complete -c uplock -n '__fish_seen_subcommand_from scan' -l function -x -d 'only in these functions'
complete -c uplock -n '__fish_seen_subcommand_from scan' -l cover -x -a '(__fish_append , rmw fence)' -d 'the kinds to take'
complete -c uplock -n '__fish_seen_subcommand_from scan' -s q -l quiet -d 'print only what is left'
