/* SPDX-License-Identifier: Apache-2.0 */
/* Parquet files that are damaged, or ask for more than they may: a message that says where, and
 * batches that hold together. */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "parquet-maker.h"
#include "parquet-rows.h"
#include "stria-error.h"

static void
check_error (const GError *error)
{
  g_assert_true (error->domain == STRIA_ERROR);
  g_assert_true (g_str_has_prefix (error->message, "m.parquet: offset "));
}

/* Opens a copy of just these bytes and reads all that can be read. Returns: whether all could */
static gboolean
read_bytes (const guint8 *data, gsize length, GError **error)
{
  StriaParquetLimits limits = { .page_bytes = 1 << 20, .rows = 1 << 24 };
  StriaParquetReadOptions options = { .batch_bytes = 4 << 20, .batch_rows = 1000 };
  g_autoptr (GBytes) bytes = g_bytes_new (data, length);
  g_autoptr (StriaParquet) file = stria_parquet_open_bytes ("m.parquet", bytes, &limits, error);
  g_autoptr (StriaParquetReader) reader = NULL;
  g_autoptr (GString) line = g_string_new (NULL);
  GError *local = NULL;
  guint64 rows = 0;

  if (file == NULL)
    return FALSE;
  reader = stria_parquet_reader_new (file, &options, error);
  while (reader != NULL && rows < 100000)
    {
      const StriaParquetBatch *batch = stria_parquet_reader_next (reader, &local);

      if (batch == NULL)
        break;
      for (guint32 i = 0; i < batch->n_rows; i++)
        parquet_append_row (batch, i, line);
      g_string_truncate (line, 0);
      rows += batch->n_rows;
    }
  if (local != NULL)
    {
      g_propagate_error (error, local);
      return FALSE;
    }
  return reader != NULL;
}

static const char *const tiny[]
  = { "tiny-flat-v1.parquet", "tiny-flat-v2.parquet", "tiny-nested-v1.parquet",
      "tiny-nested-duckdb.parquet", "tiny-flat-duckdb.parquet", "hyper-half.parquet" };

static guint8 *
load (const char *name, gsize *length)
{
  g_autofree char *path = parquet_fixture (name);
  g_autoptr (GError) error = NULL;
  char *content;

  g_file_get_contents (path, &content, length, &error);
  g_assert_no_error (error);
  return (guint8 *) content;
}

static void
test_cuts (void)
{
  for (guint f = 0; f < G_N_ELEMENTS (tiny); f++)
    {
      gsize length;
      g_autofree guint8 *data = load (tiny[f], &length);

      for (gsize cut = 0; cut < length; cut++)
        {
          g_autoptr (GError) error = NULL;

          g_assert_false (read_bytes (data, cut, &error));
          check_error (error);
          g_assert_cmpint (error->code, ==, STRIA_ERROR_TRUNCATED);
        }
      g_assert_true (read_bytes (data, length, NULL));
    }
}

/* Each byte in other ways */
static void
test_flips (void)
{
  static const guint8 flips[] = { 0x01, 0x80, 0xff };
  guint good = 0, bad = 0;

  for (guint f = 0; f < G_N_ELEMENTS (tiny); f++)
    {
      gsize length;
      g_autofree guint8 *data = load (tiny[f], &length);

      for (gsize at = 0; at < length; at++)
        for (guint k = 0; k < G_N_ELEMENTS (flips); k++)
          {
            g_autoptr (GError) error = NULL;

            data[at] ^= flips[k];
            if (read_bytes (data, length, &error))
              good++;
            else
              {
                bad++;
                check_error (error);
              }
            data[at] ^= flips[k];
          }
    }
  g_assert_cmpuint (good, >, 0);
  g_assert_cmpuint (bad, >, 1000);
}

/* The length of the footer, and a number of a size of its own in its place: each varint of the footer
 * with more bits than it had, which shifts all that follows. */
static void
test_footer_lengths (void)
{
  static const guint32 lengths[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff };
  gsize length;
  g_autofree guint8 *data = load ("tiny-flat-v1.parquet", &length);

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree guint8 *copy = g_memdup2 (data, length);
      g_autoptr (GError) error = NULL;
      guint32 little = GUINT32_TO_LE (lengths[i]);

      memcpy (copy + length - 8, &little, 4);
      g_assert_false (read_bytes (copy, length, &error));
      check_error (error);
    }
  for (gsize at = 4; at < length - 8; at++)
    {
      static const guint8 huge[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 };
      g_autofree guint8 *copy = g_memdup2 (data, length);
      g_autoptr (GError) error = NULL;

      memcpy (copy + at, huge, MIN (sizeof huge, length - 8 - at));
      if (!read_bytes (copy, length, &error))
        check_error (error);
    }
}

/* -- numbers that are chosen ------------------------------------------------------------------- */

static const guint8 plain_body[] = { 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0 };
static const ParquetMakerElement plain_column[] = { { "n", 1, 0, 0, 0, -1 } };
static const ParquetMakerPage plain_page
  = { 0, 0, 3, plain_body, sizeof plain_body, -1, -1, 0, 0, 0, 0 };

static const gint64 extremes[] = {
  0, 1, -1, 0x7fffffff, 0x80000000LL, 0xffffffffLL, G_MAXINT64, G_MININT64,
};

static int
read_maker (const ParquetMaker *maker, const char **message)
{
  static char kept[512];
  g_autoptr (GBytes) bytes = parquet_maker_finish (maker);
  g_autoptr (GError) error = NULL;
  gsize length;
  const guint8 *data = g_bytes_get_data (bytes, &length);

  if (read_bytes (data, length, &error))
    return -1;
  check_error (error);
  g_strlcpy (kept, error->message, sizeof kept);
  if (message != NULL)
    *message = kept;
  return error->code;
}

static ParquetMaker
plain_maker (const ParquetMakerPage *page)
{
  return (ParquetMaker){
    .elements = plain_column, .n_elements = 1, .pages = page, .n_pages = 1,
    .n_rows = 3, .n_values = -1, .chunk = -1, .offset = -1,
  };
}

/* Each length and count of the page header and of the chunk, one at a time */
static void
test_lengths (void)
{
  ParquetMakerPage page = plain_page;
  ParquetMaker maker = plain_maker (&page);

  g_assert_cmpint (read_maker (&maker, NULL), ==, -1);
  for (guint i = 0; i < G_N_ELEMENTS (extremes); i++)
    {
      gint64 value = extremes[i];

      for (guint field = 0; field < 7; field++)
        {
          int code;

          page = plain_page;
          maker = plain_maker (&page);
          /* -1 means "as it is" of some; another number that is negative stands for it. */
          switch (field)
            {
            case 0: page.n_values = value; break;
            case 1: page.compressed = value == -1 ? G_MAXINT32 - 1 : value; break;
            case 2: page.uncompressed = value == -1 ? G_MAXINT32 - 1 : value; break;
            case 3: maker.n_rows = value; maker.n_values = 3; break;
            case 4: maker.n_values = value == -1 ? 2 : value; break;
            case 5: maker.chunk = value == -1 ? 2 : value; break;
            default: maker.offset = value == -1 ? 3 : value; break;
            }
          code = read_maker (&maker, NULL);
          /* No rows need nothing; what is negative means "as it is" to the maker of most. */
          if (code == -1)
            g_assert_true (field == 3 ? value == 0 : field != 0 && value < -1);
        }
      for (guint field = 0; field < 3; field++)
        {
          page = plain_page;
          page.type = 3;
          page.n_rows = 3;
          maker = plain_maker (&page);
          switch (field)
            {
            case 0: page.definitions = value; break;
            case 1: page.repetitions = value; break;
            default: page.n_values = value; break;
            }
          g_assert_true (read_maker (&maker, NULL) != -1 || (value == 0 && field < 2));
        }
    }
}

/* Kinds of what is not read are named. */
static void
test_unsupported (void)
{
  ParquetMakerPage page = plain_page;
  ParquetMaker maker = plain_maker (&page);
  const char *message;
  g_autoptr (GError) error = NULL;

  maker.codec = STRIA_PARQUET_LZO;
  g_assert_cmpint (read_maker (&maker, &message), ==, STRIA_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (message, "LZO"));
  maker.codec = 99;
  g_assert_cmpint (read_maker (&maker, &message), ==, STRIA_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (message, "99"));
  maker.codec = 0;
  maker.encrypted = TRUE;
  g_assert_cmpint (read_maker (&maker, &message), ==, STRIA_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (message, "encrypted"));
  maker.encrypted = FALSE;
  page.encoding = 42;
  g_assert_cmpint (read_maker (&maker, &message), ==, STRIA_ERROR_UNSUPPORTED);
  page.encoding = STRIA_PARQUET_ENCODING_DELTA_BYTE_ARRAY; /* of integers */
  g_assert_cmpint (read_maker (&maker, &message), ==, STRIA_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (message, "DELTA_BYTE_ARRAY"));
  page.encoding = STRIA_PARQUET_ENCODING_RLE_DICTIONARY; /* and no dictionary */
  g_assert_cmpint (read_maker (&maker, &message), ==, STRIA_ERROR_MALFORMED);
  for (gint32 codec = 1; codec < 8; codec++)
    {
      page = plain_page;
      maker.codec = codec;
      g_assert_cmpint (read_maker (&maker, &message), ==,
                       codec == STRIA_PARQUET_LZO ? STRIA_ERROR_UNSUPPORTED : STRIA_ERROR_MALFORMED);
      g_assert_nonnull (strstr (message, stria_parquet_codec_name (codec)));
    }
  g_assert_false (read_bytes ((const guint8 *) "PARE0000\1\0\0\0PARE", 16, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "encrypted"));
  g_clear_error (&error);
  g_assert_false (read_bytes ((const guint8 *) "PK\3\4 this is no Parquet file", 20, &error));
  g_assert_error (error, STRIA_ERROR, STRIA_ERROR_BAD_MAGIC);
}

/* Schemas that do not add up */
static void
test_schemas (void)
{
  static const ParquetMakerElement no_children[] = { { "g", -1, 0, 0, 0, -1 } };
  static const ParquetMakerElement many[] = { { "g", -1, 0, 0, 5, -1 }, { "n", 1, 0, 0, 0, -1 } };
  static const ParquetMakerElement negative[] = { { "g", -1, 0, 0, -5, -1 }, { "n", 1, 0, 0, 0, -1 } };
  static const ParquetMakerElement two[] = { { "a", 1, 0, 0, 0, -1 }, { "n", 1, 0, 0, 0, -1 } };
  static const ParquetMakerElement no_length[] = { { "n", 7, 0, 0, 0, -1 } };
  static const ParquetMakerElement type[] = { { "n", 8, 0, 0, 0, -1 } };
  static const ParquetMakerElement repetition[] = { { "n", 1, 0, 3, 0, -1 } };
  static const struct
  {
    const ParquetMakerElement *elements;
    guint n;
  } schemas[] = { { no_children, 1 }, { many, 2 }, { negative, 2 }, { two, 2 }, { no_length, 1 },
                  { type, 1 }, { repetition, 1 } };
  ParquetMakerElement deep[60];

  for (guint i = 0; i < G_N_ELEMENTS (schemas); i++)
    {
      ParquetMaker maker = plain_maker (&plain_page);

      maker.elements = schemas[i].elements;
      maker.n_elements = schemas[i].n;
      g_assert_cmpint (read_maker (&maker, NULL), ==, STRIA_ERROR_MALFORMED);
    }
  for (guint i = 0; i < G_N_ELEMENTS (deep); i++)
    deep[i] = (ParquetMakerElement){ "g", i + 1 < G_N_ELEMENTS (deep) ? -1 : 1, 0, 2,
                                     i + 1 < G_N_ELEMENTS (deep), -1 };
  {
    ParquetMaker maker = plain_maker (&plain_page);

    maker.elements = deep;
    maker.n_elements = G_N_ELEMENTS (deep);
    g_assert_cmpint (read_maker (&maker, NULL), ==, STRIA_ERROR_LIMIT);
  }
}

/* A few bytes that say they are a great many values: as many as asked for at a time, and no more. */
static void
test_many_from_few (void)
{
  /* a run of 2^31 - 1 of index 0 */
  static const guint8 indices[] = { 1, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0 };
  static const guint8 dictionary[] = { 7, 0, 0, 0 };
  static const ParquetMakerPage pages[] = {
    { 2, 0, 1, dictionary, sizeof dictionary, -1, -1, 0, 0, 0, 0 },
    { 0, 8, 0x7fffffff, indices, sizeof indices, -1, -1, 0, 0, 0, 0 },
  };
  ParquetMaker maker = plain_maker (pages);
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (StriaParquet) file = NULL;
  g_autoptr (StriaParquetReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  StriaParquetReadOptions options = { .batch_rows = 1000 };

  maker.n_pages = 2;
  maker.n_rows = 0x7fffffff;
  bytes = parquet_maker_finish (&maker);
  file = stria_parquet_open_bytes ("m.parquet", bytes, NULL, &error);
  g_assert_no_error (error);
  reader = stria_parquet_reader_new (file, &options, &error);
  for (guint i = 0; i < 100; i++)
    {
      const StriaParquetBatch *batch = stria_parquet_reader_next (reader, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (batch->n_rows, ==, 1000);
      g_assert_cmpint (batch->columns[0].int32s[999], ==, 7);
    }
}

/* Values that the page hasn't got, each encoding in turn: a message, whatever the bytes */
static void
test_short_values (void)
{
  static const gint32 encodings[] = { 0, 2, 3, 4, 5, 6, 7, 8, 9 };
  static const gint32 types[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
  guint8 body[40];

  for (guint e = 0; e < G_N_ELEMENTS (encodings); e++)
    for (guint t = 0; t < G_N_ELEMENTS (types); t++)
      for (guint round = 0; round < 200; round++)
        {
          const ParquetMakerElement column[] = { { "n", types[t], 5, 0, 0, -1 } };
          ParquetMakerPage page = { 0, encodings[e], 1000, body,
                                    (gsize) g_test_rand_int_range (0, sizeof body), -1, -1, 0, 0, 0,
                                    0 };
          ParquetMaker maker = plain_maker (&page);

          for (guint i = 0; i < sizeof body; i++)
            body[i] = (guint8) g_test_rand_int_range (0, round % 2 ? 256 : 4);
          if (page.length > 8 && round % 4 == 0)
            memcpy (body, "\x80\x01\x04\xe8\x07\x00\x00", 7); /* the head of differences */
          maker.elements = column;
          maker.n_rows = 1000;
          read_maker (&maker, NULL);
        }
}

/* An error in one row group leaves the others. */
static void
test_next_group (void)
{
  gsize length;
  g_autofree guint8 *grouped = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (StriaParquet) file = NULL;
  g_autoptr (StriaParquetReader) reader = NULL;
  g_autoptr (GError) error = NULL;
  const StriaParquetBatch *batch;

  grouped = load ("arrow-pages-v1.parquet", &length);
  memset (grouped + 20, 0xff, 60);
  bytes = g_bytes_new (grouped, length);
  file = stria_parquet_open_bytes ("m.parquet", bytes, NULL, &error);
  g_assert_no_error (error);
  reader = stria_parquet_reader_new (file, NULL, &error);
  g_assert_null (stria_parquet_reader_next (reader, &error));
  check_error (error);
  g_clear_error (&error);
  g_assert_null (stria_parquet_reader_next (reader, &error)); /* still */
  check_error (error);
  g_clear_error (&error);
  stria_parquet_reader_skip_group (reader);
  batch = stria_parquet_reader_next (reader, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (batch->first_row, ==, 130);
}

/* The CRC-32 of a page, if asked for */
static void
test_sums (void)
{
  static const StriaParquetWriteColumn column = { "n", STRIA_PARQUET_WRITE_DOUBLE, FALSE, FALSE };
  StriaParquetWriteOptions options = { .uncompressed = TRUE };
  g_autofree char *folder = g_dir_make_tmp ("stria-parquet-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "own.parquet", NULL);
  g_autoptr (GError) error = NULL;
  StriaParquetWriter *writer = stria_parquet_writer_new (path, &column, 1, &options, &error);
  double values[] = { 1, 2, 3 };
  g_autofree char *data = NULL;
  gsize length;

  g_assert_no_error (error);
  stria_parquet_writer_double (writer, 0, values, NULL, 3);
  g_assert_true (stria_parquet_writer_finish (writer, &error));
  stria_parquet_writer_free (writer);
  g_assert_true (g_file_get_contents (path, &data, &length, &error));
  g_unlink (path);
  g_rmdir (folder);
  for (gsize at = 0; at + 8 < length; at++)
    if (memcmp (data + at, &values[2], 8) == 0)
      {
        data[at] ^= 1;
        break;
      }
  for (guint check = 0; check < 2; check++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new (data, length);
      g_autoptr (StriaParquet) file = stria_parquet_open_bytes ("m.parquet", bytes, NULL, &error);
      StriaParquetReadOptions read_options = { .check_sums = check != 0 };
      g_autoptr (GPtrArray) rows = NULL;

      g_assert_no_error (error);
      rows = parquet_read_rows (file, &read_options, &error);
      g_assert_true ((rows == NULL) == (check != 0));
    }
  check_error (error);
  g_assert_nonnull (strstr (error->message, "CRC"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parquet-bad/cuts", test_cuts);
  g_test_add_func ("/parquet-bad/flips", test_flips);
  g_test_add_func ("/parquet-bad/footer-lengths", test_footer_lengths);
  g_test_add_func ("/parquet-bad/lengths", test_lengths);
  g_test_add_func ("/parquet-bad/unsupported", test_unsupported);
  g_test_add_func ("/parquet-bad/schemas", test_schemas);
  g_test_add_func ("/parquet-bad/many-from-few", test_many_from_few);
  g_test_add_func ("/parquet-bad/short-values", test_short_values);
  g_test_add_func ("/parquet-bad/next-group", test_next_group);
  g_test_add_func ("/parquet-bad/sums", test_sums);
  return g_test_run ();
}
