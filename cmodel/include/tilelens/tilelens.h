/* SPDX-License-Identifier: Apache-2.0 */
/** Everything: tensor maps, loads and their stages, the data mover, layouts. */
#ifndef TILELENS_TILELENS_H
#define TILELENS_TILELENS_H

#include "tilelens/layout.h"
#include "tilelens/load.h"
#include "tilelens/mover.h"
#include "tilelens/tensor_map.h"

#endif
