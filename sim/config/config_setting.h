/* SPDX-License-Identifier: Apache-2.0 */
/**
 * `--set KEY=VALUE`: one value over those of the files.
 */
#ifndef TILELENS_SIM_CONFIG_SETTING_H
#define TILELENS_SIM_CONFIG_SETTING_H

#include "complaint.h"
#include "system_config.h"

/** @return 0, or 2 and a complaint whose path is KEY */
int tl_config_setting_apply(const char *setting, tl_config *config, const tl_complaint *to);

#endif
