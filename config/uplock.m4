# SPDX-License-Identifier: MIT
#
# UPLOCK
#
# AC_SUBSTs UPLOCK_FLAGS: what the compiler of the current language (AC_LANG) needs
# for compiling and linking with uplock, empty where it has no plugin. Append it
# to AM_CFLAGS or AM_CXXFLAGS, which automake gives to the link too.
AC_DEFUN([UPLOCK], [
AC_REQUIRE([PKG_PROG_PKG_CONFIG])
AC_CACHE_CHECK([for the flags of uplock], [uplock_cv_flags], [
  uplock_cv_flags=`$PKG_CONFIG --cflags uplock 2>/dev/null`
  uplock_save_flags=$_AC_LANG_PREFIX[]FLAGS
  _AC_LANG_PREFIX[]FLAGS="$_AC_LANG_PREFIX[]FLAGS $uplock_cv_flags"
  # Clang takes the flag with a warning, hence the attribute.
  AC_LINK_IFELSE([AC_LANG_PROGRAM([[
#ifndef __has_attribute
#error no plugin
#elif !__has_attribute(uplock_keep)
#error no plugin
#endif
]], [])], [], [uplock_cv_flags=])
  _AC_LANG_PREFIX[]FLAGS=$uplock_save_flags
])
UPLOCK_FLAGS=$uplock_cv_flags
AC_SUBST([UPLOCK_FLAGS])
])
