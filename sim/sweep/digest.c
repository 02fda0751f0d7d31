/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): the name that POSIX asks for */

#include "digest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "yaml_tree.h"

enum { CONFIG_BYTES = 65536, PATH_BYTES = 4096, DEPTH_MAX = 4 };

uint64_t tl_digest_bytes(uint64_t digest, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t n = 0; n < count; n++) {
        digest = (digest ^ byte[n]) * UINT64_C(0x100000001b3);
    }
    return digest;
}

uint64_t tl_digest_text(uint64_t digest, const char *text)
{
    return tl_digest_bytes(digest, text, strlen(text) + 1);
}

bool tl_path_from(const char *folder, const char *name, char *path, size_t path_bytes)
{
    const int length =
        name[0] == '/' ? snprintf(path, path_bytes, "%s", name) : snprintf(path, path_bytes, "%s/%s", folder, name);
    return length >= 0 && (size_t)length < path_bytes;
}

static bool is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* The first `text_bytes` of the file are left in `text`. @return bytes of the file, or SIZE_MAX */
static size_t digest_file(uint64_t *digest, const char *path, unsigned char *text, size_t text_bytes)
{
    FILE *file = is_file(path) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return SIZE_MAX;
    }
    unsigned char rest[4096];
    size_t total = fread(text, 1, text_bytes, file);
    uint64_t all = tl_digest_bytes(*digest, text, total);
    for (size_t used = fread(rest, 1, sizeof rest, file); used > 0; used = fread(rest, 1, sizeof rest, file)) {
        all = tl_digest_bytes(all, rest, used);
        total += used;
    }
    const bool failed = ferror(file) != 0;
    (void)fclose(file);
    *digest = failed ? *digest : tl_digest_bytes(all, &total, sizeof total);
    return failed ? SIZE_MAX : total;
}

bool tl_digest_file(uint64_t *digest, const char *path)
{
    unsigned char text[1];
    return digest_file(digest, path, text, sizeof text) != SIZE_MAX;
}

static bool digest_config(uint64_t *digest, const char *path, unsigned depth);

/* Files that the values of the YAML text name. */
static void digest_named(uint64_t *digest, const char *path, const unsigned char *text, size_t text_bytes,
                         unsigned depth)
{
    char complaint[1];
    const tl_complaint to = {path, complaint, 0};
    char folder[PATH_BYTES];
    char named[PATH_BYTES];
    const char *slash = strrchr(path, '/');
    tl_tree tree;
    (void)snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path), slash == NULL ? "." : path);
    if (tl_tree_load(&tree, text, text_bytes, "", &to) != 0) {
        return;
    }
    for (yaml_node_t *node = tree.document.nodes.start; node < tree.document.nodes.top; node++) {
        const char *name = tl_tree_text(node);
        if (name != NULL && name[0] != '\0' && tl_path_from(folder, name, named, sizeof named)) {
            (void)digest_config(digest, named, depth + 1);
        }
    }
    tl_tree_free(&tree);
}

static bool digest_config(uint64_t *digest, const char *path, unsigned depth)
{
    unsigned char *text = malloc(CONFIG_BYTES);
    const size_t bytes = text == NULL ? SIZE_MAX : digest_file(digest, path, text, CONFIG_BYTES);
    if (bytes <= CONFIG_BYTES && depth < DEPTH_MAX) {
        digest_named(digest, path, text, bytes, depth);
    }
    free(text);
    return bytes != SIZE_MAX;
}

bool tl_digest_config(uint64_t *digest, const char *path)
{
    return digest_config(digest, path, 0);
}
