/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "stria-format.h"

#include <glib/gi18n-lib.h>
#include <locale.h>
#include <math.h>
#include <string.h>

/* Groups of three digits stand apart by a narrow space that does not break a line (ISO 80000-1);
 * a comma or point could be taken for the decimal sign. */
#define THIN_SPACE "\xe2\x80\xaf"
#define LEFT_TO_RIGHT "\xe2\x80\x8e"

static int is_mirrored;
#define MINUS      "\xe2\x88\x92"

#define NS_PER_US 1000
#define NS_PER_MS 1000000
#define NS_PER_S  1000000000

typedef struct
{
  guint64     ns;
  guint       decimals; /* digits of the unit that a nanosecond needs */
  const char *symbol;
} TimeUnit;

static const TimeUnit time_units[] = {
  { NS_PER_S, 9, N_ ("s") },
  { NS_PER_MS, 6, N_ ("ms") },
  { NS_PER_US, 3, N_ ("\xc2\xb5s") },
  { 1, 0, N_ ("ns") },
};

/* Index in time_units plus one; 0: by size */
static int chosen_unit;

static GMutex zone_lock;
static GTimeZone *chosen_zone;

static const char *
decimal_point (void)
{
  const struct lconv *conventions = localeconv ();

  return conventions->decimal_point[0] != '\0' ? conventions->decimal_point : ".";
}

static guint64
magnitude (gint64 value)
{
  return value < 0 ? 0 - (guint64) value : (guint64) value;
}

static const TimeUnit *
unit_for (guint64 ns)
{
  const int chosen = g_atomic_int_get (&chosen_unit);

  if (chosen > 0)
    return &time_units[chosen - 1];
  for (guint i = 0; i < G_N_ELEMENTS (time_units); i++)
    if (ns >= time_units[i].ns)
      return &time_units[i];
  return &time_units[G_N_ELEMENTS (time_units) - 1];
}

static void
append_integer (GString *text, guint64 value)
{
  char digits[24];
  const int n = g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, value);

  for (int i = 0; i < n; i++)
    {
      /* Four digits alone are read at a glance */
      if (i > 0 && n > 4 && (n - i) % 3 == 0)
        g_string_append (text, THIN_SPACE);
      g_string_append_c (text, digits[i]);
    }
}

/* @fraction: @n digits behind the point */
static void
append_fraction (GString *text, const char *fraction, guint n, gboolean grouped)
{
  if (n == 0)
    return;
  g_string_append (text, decimal_point ());
  for (guint i = 0; i < n; i++)
    {
      if (grouped && i > 0 && n > 4 && i % 3 == 0)
        g_string_append (text, THIN_SPACE);
      g_string_append_c (text, fraction[i]);
    }
}

/* @fraction is a number of @width digits behind the point; the last zeros go. */
static guint
fraction_digits (guint64 fraction, guint width, char digits[24])
{
  guint n = width;

  g_snprintf (digits, 24, "%0*" G_GUINT64_FORMAT, (int) width, fraction);
  while (n > 0 && digits[n - 1] == '0')
    n--;
  return n;
}

static guint64
power_of_ten (guint exponent)
{
  guint64 power = 1;

  while (exponent-- > 0)
    power *= 10;
  return power;
}

static guint
count_digits (guint64 value)
{
  guint n = 1;

  while (value >= 10)
    {
      value /= 10;
      n++;
    }
  return n;
}

/* Rounds half up to a multiple of @step, which is a power of ten. */
static guint64
round_to (guint64 value, guint64 step)
{
  return value / step * step + (value % step >= step - step / 2 && step > 1 ? step : 0);
}

/* Of texts without a letter it takes a mark to know that they are read from left to right. */
static char *
isolated (char *text)
{
  char *marked;

  if (g_atomic_int_get (&is_mirrored) == 0)
    return text;
  marked = g_strconcat (LEFT_TO_RIGHT, text, LEFT_TO_RIGHT, NULL);
  g_free (text);
  return marked;
}

/**
 * stria_format_set_mirrored:
 * @mirrored: whether texts stand among others that are read from right to left
 */
void
stria_format_set_mirrored (gboolean mirrored)
{
  g_atomic_int_set (&is_mirrored, mirrored ? 1 : 0);
}

/**
 * stria_format_set_time_unit:
 * @unit: what stria_format_duration() and stria_format_time() are to use
 */
void
stria_format_set_time_unit (StriaShownUnit unit)
{
  static const int indices[] = {
    [STRIA_SHOWN_AUTO] = 0, [STRIA_SHOWN_NS] = 4, [STRIA_SHOWN_US] = 3,
    [STRIA_SHOWN_MS] = 2,   [STRIA_SHOWN_S] = 1,
  };

  g_return_if_fail ((guint) unit < G_N_ELEMENTS (indices));

  g_atomic_int_set (&chosen_unit, indices[unit]);
}

/**
 * stria_format_set_time_zone:
 * @tz: (nullable): of times of day that name no zone of their own; %NULL: the user's
 */
void
stria_format_set_time_zone (GTimeZone *tz)
{
  GTimeZone *old;

  g_mutex_lock (&zone_lock);
  old = chosen_zone;
  chosen_zone = tz != NULL ? g_time_zone_ref (tz) : NULL;
  g_mutex_unlock (&zone_lock);
  g_clear_pointer (&old, g_time_zone_unref);
}

/**
 * stria_format_ref_time_zone:
 *
 * Returns: (transfer full): the zone of times of day
 */
GTimeZone *
stria_format_ref_time_zone (void)
{
  GTimeZone *tz;

  g_mutex_lock (&zone_lock);
  tz = chosen_zone != NULL ? g_time_zone_ref (chosen_zone) : NULL;
  g_mutex_unlock (&zone_lock);
  return tz != NULL ? tz : g_time_zone_new_local ();
}

/**
 * stria_format_duration:
 * @ns: nanoseconds
 * @digits: greatest number of significant digits, at least 1; whole units are never rounded away
 *
 * Returns: (transfer full): "12.35 ms"
 */
char *
stria_format_duration (gint64 ns, guint digits)
{
  g_autoptr (GString) text = g_string_new (ns < 0 ? MINUS : NULL);
  guint64 value = magnitude (ns);
  const TimeUnit *unit = unit_for (value);
  char fraction[24];
  guint keep = 0;

  for (guint pass = 0; pass < 2; pass++)
    {
      const guint whole_digits = count_digits (value / unit->ns);

      keep = digits > whole_digits ? MIN (digits - whole_digits, unit->decimals) : 0;
      /* Far below a unit that was chosen, zeros behind the point do not count. */
      if (value < unit->ns && value > 0 && unit->decimals > count_digits (value))
        keep = MIN (unit->decimals, unit->decimals - count_digits (value) + digits);
      value = round_to (value, power_of_ten (unit->decimals - keep));
      /* 999.9996 us rounds to 1000 us, which is 1 ms */
      unit = unit_for (value);
    }
  append_integer (text, value / unit->ns);
  append_fraction (text, fraction, fraction_digits (value % unit->ns, unit->decimals, fraction),
                   FALSE);
  g_string_append_printf (text, " %s", _ (unit->symbol));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * stria_format_ns:
 * @ns: nanoseconds
 *
 * Returns: (transfer full): all digits, "1 898 821 ns"
 */
char *
stria_format_ns (gint64 ns)
{
  g_autoptr (GString) text = g_string_new (ns < 0 ? MINUS : NULL);

  append_integer (text, magnitude (ns));
  g_string_append_printf (text, " %s", _ ("ns"));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * stria_format_time:
 * @ns: nanoseconds since the origin
 * @step_ns: distance of the ticks, or the precision wanted
 *
 * Returns: (transfer full): the time with as many digits as tell neighbouring ticks apart
 */
char *
stria_format_time (gint64 ns, gint64 step_ns)
{
  const guint64 step = (guint64) MAX (step_ns, 1);
  guint64 value = magnitude (ns);
  const TimeUnit *unit = unit_for (MAX (value, step));
  g_autoptr (GString) text = NULL;
  char fraction[24];
  guint keep = unit->decimals;

  while (keep > 0 && step % power_of_ten (unit->decimals - keep + 1) == 0)
    keep--;
  value = round_to (value, power_of_ten (unit->decimals - keep));
  text = g_string_new (ns < 0 && value > 0 ? MINUS : NULL);
  append_integer (text, value / unit->ns);
  fraction_digits (value % unit->ns, unit->decimals, fraction);
  append_fraction (text, fraction, keep, TRUE);
  g_string_append_printf (text, " %s", _ (unit->symbol));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Where there is no country, the date is written as in ISO 8601. */
static const char *
date_format (void)
{
  const char *locale = setlocale (LC_TIME, NULL);

  if (locale == NULL || g_str_equal (locale, "POSIX") || g_str_equal (locale, "C")
      || g_str_has_prefix (locale, "C."))
    return "%Y-%m-%d %H:%M:%S";
  return "%x %H:%M:%S";
}

/**
 * stria_format_wall:
 * @epoch_ns: nanoseconds since 1970-01-01 00:00 UTC
 * @tz: (nullable): time zone, %NULL for that of stria_format_set_time_zone()
 *
 * Returns: (transfer full): date as in the locale, and time with all nine digits; where a zone was
 * set, its short name, too
 */
char *
stria_format_wall (gint64 epoch_ns, GTimeZone *tz)
{
  g_autoptr (GTimeZone) zone = tz != NULL ? g_time_zone_ref (tz) : stria_format_ref_time_zone ();
  g_autoptr (GDateTime) utc = NULL;
  g_autoptr (GDateTime) local = NULL;
  g_autofree char *seconds_text = NULL;
  gboolean named;
  gint64 seconds = epoch_ns / NS_PER_S;
  gint64 rest = epoch_ns % NS_PER_S;

  if (rest < 0)
    {
      rest += NS_PER_S;
      seconds--;
    }
  utc = g_date_time_new_from_unix_utc (seconds);
  if (utc != NULL)
    local = g_date_time_to_timezone (utc, zone);
  if (local == NULL)
    return stria_format_ns (epoch_ns);
  seconds_text = g_date_time_format (local, date_format ());
  g_mutex_lock (&zone_lock);
  named = tz == NULL && chosen_zone != NULL;
  g_mutex_unlock (&zone_lock);
  return isolated (g_strdup_printf ("%s%s%09d%s%s", seconds_text, decimal_point (), (int) rest,
                                    named ? " " : "",
                                    named ? g_date_time_get_timezone_abbreviation (local) : ""));
}

/**
 * stria_format_count:
 * @n: a number of things
 *
 * Returns: (transfer full): all digits, in groups of three
 */
char *
stria_format_count (guint64 n)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_integer (text, n);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* Up to @digits significant digits, no exponent, no last zeros; for 0 <= @value < 1e15. */
static void
append_decimal (GString *text, double value, guint digits)
{
  char buffer[64];
  char format[16];
  const char *point = NULL;
  guint n = 0;
  int decimals = 0;

  if (value > 0)
    decimals = CLAMP ((int) digits - 1 - (int) floor (log10 (value)), 0, 12);
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (buffer, sizeof buffer, format, value);
  append_integer (text, g_ascii_strtoull (buffer, NULL, 10));
  point = strchr (buffer, '.');
  if (point == NULL)
    return;
  for (n = (guint) strlen (point + 1); n > 0 && point[n] == '0';)
    n--;
  append_fraction (text, point + 1, n, FALSE);
}

static void
append_scaled (GString *text, double value, double step, const char *const *prefixes, guint n)
{
  guint i = 0;

  /* 1023.97 would be shown as 1024 */
  while (i + 1 < n && value >= step * 0.99995)
    {
      value /= step;
      i++;
    }
  append_decimal (text, value, 4);
  g_string_append_printf (text, " %s", prefixes[i]);
}

/**
 * stria_format_bytes:
 * @bytes: a size or a difference of sizes
 *
 * Returns: (transfer full): up to four significant digits in units of 1024, "1.5 MiB"
 */
char *
stria_format_bytes (gint64 bytes)
{
  const char *const prefixes[] = { _ ("B"),   _ ("KiB"), _ ("MiB"), _ ("GiB"),
                                   _ ("TiB"), _ ("PiB"), _ ("EiB") };
  g_autoptr (GString) text = g_string_new (bytes < 0 ? MINUS : NULL);

  append_scaled (text, (double) magnitude (bytes), 1024, prefixes, G_N_ELEMENTS (prefixes));
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * stria_format_value:
 * @value: sample of a counter
 * @unit: (nullable): its unit; "B" is shown in units of 1024, "B/s" in thousands
 *
 * Returns: (transfer full): whole numbers below 1e15 exactly, others with four significant digits
 */
char *
stria_format_value (double value, const char *unit)
{
  const double size = fabs (value);
  g_autoptr (GString) text = NULL;

  if (isfinite (value) && g_strcmp0 (unit, "B") == 0 && size < 9e18)
    return stria_format_bytes ((gint64) llround (value));
  if (isfinite (value) && g_strcmp0 (unit, "B/s") == 0 && size >= 1000)
    {
      static const char *const units[] = { "kB/s", "MB/s", "GB/s", "TB/s" };
      guint i = 0;

      for (value /= 1000; fabs (value) >= 1000 && i + 1 < G_N_ELEMENTS (units); i++)
        value /= 1000;
      return stria_format_value (value, units[i]);
    }
  text = g_string_new (value < 0 ? MINUS : NULL);
  if (isnan (value))
    g_string_append (text, _ ("not a number"));
  else if (isinf (value))
    g_string_append (text, "\xe2\x88\x9e");
  else if (size < 1e15 && size == floor (size))
    append_integer (text, (guint64) size);
  else if (size < 1e15 && size >= 1e-6)
    append_decimal (text, size, 4);
  else
    {
      char buffer[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append (text, g_ascii_formatd (buffer, sizeof buffer, "%.4g", size));
    }
  if (unit != NULL && *unit != '\0')
    g_string_append_printf (text, " %s", unit);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * stria_format_percent:
 * @share: 1 is 100 %
 *
 * Returns: (transfer full): one digit behind the point; a share that would round to nothing is
 * shown as less than a tenth
 */
char *
stria_format_percent (double share)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const double percent = fabs (share) * 100;
  const guint64 tenths = isfinite (percent) && percent < 1e15 ? (guint64) llround (percent * 10) : 0;
  char digit[2] = { (char) ('0' + tenths % 10), '\0' };

  if (!isfinite (percent))
    return g_strdup ("\xe2\x80\x93");
  if (share < 0)
    g_string_append (text, MINUS);
  if (percent > 0 && tenths == 0)
    g_string_append (text, "<" THIN_SPACE);
  append_integer (text, tenths / 10);
  append_fraction (text, percent > 0 && tenths == 0 ? "1" : digit, 1, FALSE);
  g_string_append (text, " %");
  return isolated (g_string_free (g_steal_pointer (&text), FALSE));
}

/**
 * stria_format_c_double:
 * @value: any number
 *
 * Returns: (transfer full): the shortest text that reads back as @value, with a point whatever the
 * locale; "nan", "inf" or "-inf" where there is no number
 */
char *
stria_format_c_double (double value)
{
  char buffer[G_ASCII_DTOSTR_BUF_SIZE];
  static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };

  if (isnan (value))
    return g_strdup ("nan");
  if (isinf (value))
    return g_strdup (value < 0 ? "-inf" : "inf");
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    {
      g_ascii_formatd (buffer, sizeof buffer, formats[i], value);
      if (g_ascii_strtod (buffer, NULL) == value)
        break;
    }
  return g_strdup (buffer);
}

/**
 * stria_format_tick_step:
 * @range_ns: length of the ruler
 * @width_px: its width
 * @min_px: least distance of two ticks
 *
 * Returns: the least 1, 2 or 5 times a power of ten, in ns and at least 1, that keeps the distance
 */
gint64
stria_format_tick_step (gint64 range_ns, double width_px, double min_px)
{
  const double least = (double) MAX (range_ns, 1) / MAX (width_px, 1) * MAX (min_px, 1);
  gint64 power = 1;

  while (power <= G_MAXINT64 / 10)
    {
      if ((double) power >= least)
        return power;
      if ((double) power * 2 >= least)
        return power * 2;
      if ((double) power * 5 >= least)
        return power * 5;
      power *= 10;
    }
  return power;
}
