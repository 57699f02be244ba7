/*
 * Makes programs list folders backwards: preloaded in every second run of record-shell-cases.mjs, so that a case whose
 * output depends on the disk's order of entries (which no simulation can know) differs and is dropped.
 * Build: gcc -shared -fPIC -O1 -o reverse-readdir.so reverse-readdir.c -ldl
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_FOLDERS = 64, ENTRIES = 4096 };
static struct { DIR *dir; struct dirent **entries; int left; } folders[OPEN_FOLDERS];

struct dirent *readdir(DIR *dir) {
  static struct dirent *(*next)(DIR *);
  int free_place = -1;
  if (next == NULL) next = dlsym(RTLD_NEXT, "readdir");
  for (int i = 0; i < OPEN_FOLDERS; i++) {
    if (folders[i].dir == dir) return folders[i].left > 0 ? folders[i].entries[--folders[i].left] : NULL;
    if (folders[i].dir == NULL) free_place = i;
  }
  if (free_place < 0) return next(dir);
  folders[free_place].dir = dir;
  folders[free_place].entries = calloc(ENTRIES, sizeof(struct dirent *));
  for (struct dirent *entry; folders[free_place].left < ENTRIES && (entry = next(dir)) != NULL;) {
    struct dirent *copy = malloc(entry->d_reclen);
    memcpy(copy, entry, entry->d_reclen);
    folders[free_place].entries[folders[free_place].left++] = copy;
  }
  return readdir(dir);
}

struct dirent64 *readdir64(DIR *dir) { return (struct dirent64 *)readdir(dir); }

int closedir(DIR *dir) {
  static int (*next)(DIR *);
  if (next == NULL) next = dlsym(RTLD_NEXT, "closedir");
  for (int i = 0; i < OPEN_FOLDERS; i++)
    if (folders[i].dir == dir) {
      folders[i].dir = NULL;
      folders[i].left = 0;
    }
  return next(dir);
}
