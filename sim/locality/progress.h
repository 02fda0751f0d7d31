/* SPDX-License-Identifier: Apache-2.0 */
/**
 * How far a run has come, told to whoever asks.
 */
#ifndef TILELENS_LOCALITY_PROGRESS_H
#define TILELENS_LOCALITY_PROGRESS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tl_progress {
    void (*tell)(void *context, double part); /* 0 to 1; often */
    void *context;
} tl_progress;

/** @param progress  may be null */
static inline void tl_progress_tell(const tl_progress *progress, double part)
{
    if (progress != NULL) {
        progress->tell(progress->context, part);
    }
}

#ifdef __cplusplus
}
#endif
#endif
