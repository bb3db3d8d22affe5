# SPDX-License-Identifier: GPL-3.0-or-later
#
# For debugger.c. Breakpoints 1 on a site before the start, 2 to give way, 3 on a
# site that is unlocked.
break *before
break stop_here
run
continue
delete 1
break *after
continue
continue
delete 3
continue
