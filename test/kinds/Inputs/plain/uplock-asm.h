/* SPDX-License-Identifier: GPL-3.0-or-later */
// Nothing: in place of the header, for a comparison.
