/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-ntff-record.h"

const char *
stria_ntff_engine_name (StriaNtffEngine engine)
{
  static const char *const names[] = { "Tensor", "Scalar", "GpSimd", "Vector", "Sync" };

  return engine < STRIA_NTFF_N_ENGINES ? names[engine] : "";
}

const char *
stria_ntff_error_name (guint id)
{
  static const char *const names[] = {
    "FP_UNDERFLOW", "NAN", "INF", "OVERFLOW", "MEMORY", "FAKE", "SEMAPHORE", "EVENT",
    "PSUM_COLLISION", "SEQUENCER_NONFATAL", "SEQUENCER_FATAL",
  };

  return id < G_N_ELEMENTS (names) ? names[id] : NULL;
}

const char *
stria_ntff_status_name (guint hint)
{
  switch (hint)
    {
    case 2:
      return "START";
    case 3:
      return "END";
    case 6:
      return "CUSTOM";
    case 7:
      return "CC_START";
    case 8:
      return "CC_END";
    default:
      return NULL;
    }
}

const char *
stria_ntff_wait_name (guint mode)
{
  static const char *const names[] = {
    "none",    "sem_eq_imm", "sem_lt_imm", "sem_le_imm",
    "sem_gt_imm", "sem_ge_imm", "evt_set",    "evt_set_then_clear",
  };

  if (mode < G_N_ELEMENTS (names))
    return names[mode];
  return mode == 14 ? "evt_clear" : mode == 15 ? "evt_clear_then_set" : NULL;
}

gboolean
stria_ntff_update_name (guint mode, const char **operation, const char **timing)
{
  static const char *const names[] = {
    "none", "evt_set", "evt_clr", "sem_inc", "sem_dec", "sem_add_imm", NULL, "sem_sub_imm",
    NULL,   "sem_wr_imm",
  };
  guint plain = mode >= 16 ? mode - 16 : mode;

  if (plain >= G_N_ELEMENTS (names) || names[plain] == NULL || mode == 16)
    return FALSE;
  *operation = names[plain];
  *timing = mode == 0 ? NULL : mode >= 16 ? "complete" : "read";
  return TRUE;
}

StriaNtffClock
stria_ntff_clock_make (guint64 init, guint32 actual, guint32 expected)
{
  StriaNtffClock self = { .init = init };

  /* One increment without the other says nothing. */
  if (actual != 0 && expected != 0 && actual != expected)
    {
      self.numerator = expected;
      self.denominator = actual;
    }
  return self;
}

gint64
stria_ntff_clock_ns (const StriaNtffClock *self, guint64 ticks)
{
  __int128 n = (__int128)ticks - (__int128)self->init, d = 1000;

  if (self->denominator == 0 && n >= 0 && n <= G_MAXINT64)
    return (gint64)n / 1000;
  if (self->denominator != 0)
    {
      n *= self->numerator;
      d *= self->denominator;
    }
  n = n >= 0 ? n / d : -((-n + d - 1) / d);
  return n > G_MAXINT64 ? G_MAXINT64 : n < G_MININT64 ? G_MININT64 : (gint64)n;
}
