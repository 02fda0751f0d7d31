/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Rules that join several keys, after every value is in its own range.
 */
#ifndef TILELENS_SIM_CONFIG_RULES_H
#define TILELENS_SIM_CONFIG_RULES_H

#include "complaint.h"
#include "system_config.h"

/** @return 0, or 2 and a complaint whose path is one of the keys */
int tl_config_rules_check(const tl_config *config, const tl_complaint *to);

#endif
