/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

#include "stria-trace.h"

G_BEGIN_DECLS

#define STRIA_REGIONS_MAX       10000
#define STRIA_REGIONS_MAX_RULES 64

typedef enum
{
  STRIA_REGION_NAME,       /* a slice whose name matches */
  STRIA_REGION_LAYER,      /* first to last instruction of a layer, by Instruction.layer */
  STRIA_REGION_COLLECTIVE, /* from one collective to the next one */
  STRIA_REGION_KERNEL,     /* a kernel of a GPU, or a call of an NKI kernel */
  STRIA_REGION_N_KINDS
} StriaRegionKind;

/**
 * StriaRegionRule:
 * @kind: what is looked at
 * @name: what the regions are called; empty: after what matched
 * @pattern: text with "*" and "?", or a regular expression between slashes; empty: everything.
 *   Matched with the whole name of a slice or kernel; with each component of a layer's path; with
 *   the whole name of a collective. A regular expression need match a part only; of a layer's path,
 *   that part (or its first group) is what regions are told apart by.
 * @type1: collectives: pattern of what a region begins at; empty: any
 * @type2: collectives: pattern of what it ends at; empty: the same as @type1
 * @offset: collectives: how many of the regions are left out at first
 * @stride: collectives: each how many-th is taken after that; 0 and 1: each
 * @count: collectives: how many are taken at most; 0: all
 */
typedef struct
{
  StriaRegionKind kind;
  char           *name;
  char           *pattern;
  char           *type1;
  char           *type2;
  guint           offset;
  guint           stride;
  guint           count;
} StriaRegionRule;

StriaRegionRule *stria_region_rule_new  (StriaRegionKind kind, const char *name, const char *pattern);
StriaRegionRule *stria_region_rule_copy (const StriaRegionRule *self);
void             stria_region_rule_free (StriaRegionRule *self);

/**
 * StriaPattern:
 *
 * "*" and "?", or a regular expression between slashes. Letters match with regard to case.
 */
typedef struct _StriaPattern StriaPattern;

/* NULL with @error if it is no expression. Empty: matches everything */
StriaPattern *stria_pattern_new   (const char *text, GError **error);
void          stria_pattern_free  (StriaPattern *self);
gboolean      stria_pattern_match (StriaPattern *self, const char *text);
/* What of a path it finds: up to the end of the first component that it matches, or the part that
 * the expression matches. Returns: (transfer full) (nullable) */
char         *stria_pattern_find  (StriaPattern *self, const char *path);

/**
 * StriaRegion:
 * @t0: nanoseconds, as the lanes count
 * @t1: the same
 * @rule: number of the rule
 * @name: what it is called
 * @artifact: whose time it is
 * @ref: the event that it is, or begins at
 * @count: slices of the artifact that begin in it
 * @bytes: bytes of the artifact's transfers that begin in it; -1: not known
 * @busy: (array): nanoseconds by group; -1 in groups of other artifacts
 */
typedef struct
{
  gint64   t0;
  gint64   t1;
  guint    rule;
  char    *name;
  guint32  artifact;
  StriaRef ref;
  guint64  count;
  gint64   bytes;
  gint64  *busy;
} StriaRegion;

typedef struct
{
  char   *title;
  guint32 artifact;
} StriaRegionGroup;

/**
 * StriaRegionSet:
 * @regions: (element-type StriaRegion): by start
 * @groups: (element-type StriaRegionGroup): lanes that are measured together: an engine, the DMA
 *   queues, the collectives, a device, the threads of a process
 * @n_of_rule: (element-type guint): how many regions each rule found, those that were left out too
 * @absent: (element-type utf8): by rule, why it found none, or NULL
 * @is_cut: whether there were more than %STRIA_REGIONS_MAX
 */
typedef struct
{
  GArray    *regions;
  GArray    *groups;
  GArray    *n_of_rule;
  GPtrArray *absent;
  gboolean   is_cut;
} StriaRegionSet;

/* @rules: (element-type StriaRegionRule). Loads everything: for a worker.
 * Returns: (transfer full) (nullable): NULL with @error */
StriaRegionSet *stria_region_set_new  (StriaTrace *trace, GPtrArray *rules,
                                       GCancellable *cancellable, GError **error);
void            stria_region_set_free (StriaRegionSet *self);

/* What is compared: below 0 a fixed column, else the group of that number */
typedef enum
{
  STRIA_REGION_DURATION = -3,
  STRIA_REGION_COUNT = -2,
  STRIA_REGION_BYTES = -1,
} StriaRegionColumn;

/**
 * StriaRegionSpread:
 * @n: regions that have a value
 * @mean: the arithmetic mean
 * @min: the least
 * @max: the greatest
 * @deviation: standard deviation of all of them (divided by @n)
 */
typedef struct
{
  guint  n;
  double mean;
  double min;
  double max;
  double deviation;
} StriaRegionSpread;

/* FALSE: it is not known */
gboolean stria_region_value  (const StriaRegion *region, int column, double *value);
/* Over the regions of one rule, or of all (%G_MAXUINT) */
void     stria_region_spread (const StriaRegionSet *set, guint rule, int column,
                              StriaRegionSpread *spread);
/* All of it, RFC 4180. Returns: (transfer full) */
char    *stria_region_set_to_csv (const StriaRegionSet *set, gint64 origin_ns);

#define STRIA_TYPE_REGIONS (stria_regions_get_type ())
G_DECLARE_FINAL_TYPE (StriaRegions, stria_regions, STRIA, REGIONS, GObject)

/**
 * StriaRegions:
 *
 * The rules that a person set, and the regions that a worker found by them. Main thread only.
 *
 * Signals: "changed": the rules, the regions, or whether they are being looked for. "failed": the
 * rules could not be read or kept (a text for people).
 */
/* @path: (nullable): the file that keeps the rules; what is in it arrives later, with "changed" */
StriaRegions         *stria_regions_new       (const char *path);
void                  stria_regions_set_trace (StriaRegions *self, StriaTrace *trace);
/* @rule: (transfer full). FALSE: there are too many */
gboolean              stria_regions_add_rule  (StriaRegions *self, StriaRegionRule *rule);
void                  stria_regions_remove_rule (StriaRegions *self, guint i);
/* Returns: (transfer none) (element-type StriaRegionRule) */
GPtrArray            *stria_regions_get_rules (StriaRegions *self);
/* Returns: (transfer none) (nullable) */
const StriaRegionSet *stria_regions_get       (StriaRegions *self);
gboolean              stria_regions_is_busy   (StriaRegions *self);
/* Returns: (transfer none) (nullable) */
const char           *stria_regions_get_error (StriaRegions *self);
/* Waits until the rules are on disk: for the end of the program, and for tests */
void                  stria_regions_flush     (StriaRegions *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaRegionRule, stria_region_rule_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaPattern, stria_pattern_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StriaRegionSet, stria_region_set_free)

G_END_DECLS
