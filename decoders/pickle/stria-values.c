/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "stria-error.h"
#include "stria-values-private.h"

/* CPython writes dict items in batches of 1000; a batch of fewer is the last. */
#define BATCH 1000

StriaValues *
stria_values_new (const StriaValuesClient *client, gpointer data)
{
  StriaValues *self = g_new0 (StriaValues, 1);

  self->client = client;
  self->data = data;
  self->bigs = g_array_new (FALSE, FALSE, sizeof (StriaBig));
  self->reals = g_array_new (FALSE, FALSE, sizeof (double));
  self->wide = g_array_new (FALSE, FALSE, sizeof (StriaDatum));
  return self;
}

void
stria_values_free (StriaValues *self)
{
  for (gsize i = 0; i < self->n_dicts; i++)
    g_free (self->dicts[i].pairs);
  for (gsize i = 0; i < self->n_lists; i++)
    g_free (self->lists[i].items);
  g_free (self->dicts);
  g_free (self->lists);
  g_free (self->stack);
  g_free (self->memo);
  g_array_unref (self->bigs);
  g_array_unref (self->reals);
  g_array_unref (self->wide);
  g_clear_error (&self->error);
  g_free (self);
}

void
stria_values_get_client (StriaValues *self, const StriaValuesClient **client, gpointer *data)
{
  *client = self->client;
  *data = self->data;
}

const GError *
stria_values_error (StriaValues *self)
{
  return self->error;
}

void
stria_values_fail (StriaValues *self, int code, const char *format, ...)
{
  va_list args;

  if (self->error != NULL)
    return;
  va_start (args, format);
  self->error = g_error_new_valist (STRIA_ERROR, code, format, args);
  va_end (args);
}

gboolean
stria_values_charge (StriaValues *self, gsize bytes)
{
  self->bytes += bytes;
  if (G_LIKELY (self->bytes <= STRIA_VALUES_MAX_BYTES))
    return TRUE;
  stria_values_fail (self, STRIA_ERROR_LIMIT, "more than %" G_GSIZE_FORMAT " bytes of open values",
                     STRIA_VALUES_MAX_BYTES);
  return FALSE;
}

void
stria_values_push (StriaValues *self, StriaDatum value)
{
  if (G_UNLIKELY (self->n_stack == self->stack_capacity))
    {
      if (self->n_stack >= STRIA_VALUES_MAX_STACK)
        {
          stria_values_fail (self, STRIA_ERROR_LIMIT, "more than %" G_GSIZE_FORMAT " values on the stack",
                             STRIA_VALUES_MAX_STACK);
          return;
        }
      self->stack_capacity = MAX (1024, self->stack_capacity * 2);
      self->stack = g_renew (StriaDatum, self->stack, self->stack_capacity);
    }
  self->stack[self->n_stack++] = value;
}

/* Values above the topmost mark (or all). */
static gsize
floor_of_stack (StriaValues *self)
{
  return self->n_marks > 0 ? self->marks[self->n_marks - 1] : 0;
}

gboolean
stria_values_need (StriaValues *self, gsize n)
{
  if (G_UNLIKELY (self->error != NULL))
    return FALSE;
  if (G_LIKELY (self->n_stack >= n && self->n_stack - n >= floor_of_stack (self)))
    return TRUE;
  stria_values_fail (self, STRIA_ERROR_MALFORMED, "%" G_GSIZE_FORMAT " values expected on the stack, found %"
                     G_GSIZE_FORMAT, n, self->n_stack - floor_of_stack (self));
  return FALSE;
}

void
stria_values_push_string (StriaValues *self, const char *text, gsize length)
{
  stria_values_push (self, stria_datum (STRIA_VALUE_KIND_STRING,
                                        self->client->intern (self->data, text, length)));
}

void
stria_values_push_opaque (StriaValues *self, const char *what)
{
  self->client->opaque (self->data, what);
  stria_values_push (self, stria_datum (STRIA_VALUE_KIND_OPAQUE,
                                        self->client->intern (self->data, what, strlen (what))));
}

void
stria_values_push_list (StriaValues *self)
{
  if (self->n_lists == self->list_capacity)
    {
      gsize capacity = MAX (1024, self->list_capacity + self->list_capacity / 2);
      if (!stria_values_charge (self, (capacity - self->list_capacity) * sizeof (StriaList)))
        return;
      self->lists = g_renew (StriaList, self->lists, capacity);
      self->list_capacity = capacity;
    }
  self->lists[self->n_lists] = (StriaList){ 0 };
  stria_values_push (self, stria_datum (STRIA_VALUE_KIND_LIST, self->n_lists++));
}

void
stria_values_push_dict (StriaValues *self)
{
  if (self->n_dicts == self->dict_capacity)
    {
      gsize capacity = MAX (1024, self->dict_capacity + self->dict_capacity / 2);
      if (!stria_values_charge (self, (capacity - self->dict_capacity) * sizeof (StriaDict)))
        return;
      self->dicts = g_renew (StriaDict, self->dicts, capacity);
      self->dict_capacity = capacity;
    }
  self->dicts[self->n_dicts] = (StriaDict){ 0 };
  stria_values_push (self, stria_datum (STRIA_VALUE_KIND_DICT, self->n_dicts++));
}

void
stria_values_mark (StriaValues *self)
{
  if (self->n_marks == STRIA_VALUES_MAX_MARKS)
    {
      stria_values_fail (self, STRIA_ERROR_LIMIT, "nested deeper than %d", STRIA_VALUES_MAX_MARKS);
      return;
    }
  self->marks[self->n_marks++] = self->n_stack;
}

static gboolean
pop_mark (StriaValues *self, gsize *at)
{
  if (self->error != NULL)
    return FALSE;
  if (self->n_marks == 0)
    {
      stria_values_fail (self, STRIA_ERROR_MALFORMED, "a mark expected on the stack, found none");
      return FALSE;
    }
  *at = self->marks[--self->n_marks];
  return TRUE;
}

StriaDatum
stria_values_resolve (StriaValues *self, StriaDatum value)
{
  guint64 id = stria_datum_payload (value);

  if (stria_datum_kind (value) == STRIA_VALUE_KIND_DICT && id < self->n_dicts
      && self->dicts[id].row != 0)
    return self->dicts[id].row;
  if (stria_datum_kind (value) == STRIA_VALUE_KIND_LIST && id < self->n_lists
      && self->lists[id].capacity == STRIA_ROW_CAPACITY)
    return self->lists[id].row;
  return value;
}

/* @value has become @row. A million events are a million dicts: where nobody but the stack and one
 * memo entry can know of it, the entry becomes the row and the number is given to the next. */
static gboolean
give_number_back (StriaValues *self, StriaDatum value, StriaDatum row, gsize *n)
{
  guint32 memo = *stria_values_holder (self, value);

  if (stria_datum_payload (value) != *n - 1 || memo == STRIA_MEMO_MANY)
    return FALSE;
  if (memo != 0 && stria_values_memo (self, memo - 1) == value)
    stria_values_set_memo (self, memo - 1, row);
  (*n)--;
  return TRUE;
}

static void
resolve_from (StriaValues *self, gsize at)
{
  StriaDatum *stack = self->stack;
  gsize n = self->n_stack;

  /* Dicts and lists are the kinds 6 and 7. */
  G_STATIC_ASSERT (STRIA_VALUE_KIND_LIST == 6 && STRIA_VALUE_KIND_DICT == 7);
  for (gsize i = at; i < n; i++)
    if (G_UNLIKELY ((stack[i] & 14) == STRIA_VALUE_KIND_LIST))
      stack[i] = stria_values_resolve (self, stack[i]);
}

/* The rows that are kept apart become items as those of any list. */
void
stria_values_keep_rows (StriaValues *self)
{
  StriaList *list;

  if (self->rows_list == 0)
    return;
  list = &self->lists[self->rows_list - 1];
  self->rows_list = 0;
  if (!stria_values_charge (self, list->n * sizeof (StriaDatum)))
    {
      list->n = 0;
      return;
    }
  list->items = g_new (StriaDatum, list->n);
  list->capacity = (guint32) list->n;
  for (gsize i = 0; i < list->n; i++)
    list->items[i] = self->rows[i];
}

static void
list_add (StriaValues *self, guint64 id, const StriaDatum *items, gsize n)
{
  StriaList *list = &self->lists[id];

  if (list->capacity == STRIA_ROW_CAPACITY)
    {
      stria_values_fail (self, STRIA_ERROR_MALFORMED, "a list grows after it was used");
      return;
    }
  if (n == 0 || self->client->append (self->data, id, items, n))
    return;
  if (self->rows_list == id + 1)
    stria_values_keep_rows (self);
  if (list->n + n > list->capacity)
    {
      gsize capacity = list->n == 0 ? n : MAX (list->n + n, (gsize) list->capacity * 2);
      if (capacity >= STRIA_ROW_CAPACITY
          || !stria_values_charge (self, (capacity - list->capacity) * sizeof *items))
        {
          stria_values_fail (self, STRIA_ERROR_LIMIT, "a list of more than 2^32 items");
          return;
        }
      list->items = g_renew (StriaDatum, list->items, capacity);
      list->capacity = (guint32) capacity;
    }
  memcpy (list->items + list->n, items, n * sizeof *items);
  list->n += n;
}

static void
append_from (StriaValues *self, gsize at)
{
  if (at == 0 || stria_datum_kind (self->stack[at - 1]) != STRIA_VALUE_KIND_LIST)
    {
      stria_values_fail (self, STRIA_ERROR_MALFORMED, "a list expected under the items");
      return;
    }
  resolve_from (self, at);
  list_add (self, stria_datum_payload (self->stack[at - 1]), self->stack + at, self->n_stack - at);
  self->n_stack = at;
}

void
stria_values_appends (StriaValues *self)
{
  gsize at;

  if (pop_mark (self, &at))
    append_from (self, at);
}

void
stria_values_append (StriaValues *self)
{
  if (stria_values_need (self, 2))
    append_from (self, self->n_stack - 1);
}

static void
set_from (StriaValues *self, gsize at)
{
  gsize n = (self->n_stack - at) / 2;

  if (at == 0 || stria_datum_kind (self->stack[at - 1]) != STRIA_VALUE_KIND_DICT)
    {
      stria_values_fail (self, STRIA_ERROR_MALFORMED, "a dict expected under the items");
      return;
    }
  if (n == 0 && self->n_stack == at)
    return;
  if ((self->n_stack - at) % 2 != 0)
    {
      stria_values_fail (self, STRIA_ERROR_MALFORMED, "a dict with a key and no value");
      return;
    }
  StriaDict *dict = &self->dicts[stria_datum_payload (self->stack[at - 1])];
  if (dict->row != 0)
    {
      stria_values_fail (self, STRIA_ERROR_MALFORMED, "a dict grows after it was used");
      return;
    }
  resolve_from (self, at);

  /* A pair is two values in a row: the stack holds pairs as they are needed. */
  if (dict->n == 0 && n < BATCH)
    {
      dict->row = self->client->dict (self->data, at > 1 ? self->stack[at - 2] : 0,
                                      (const StriaDatumPair *) (self->stack + at), n);
      if (dict->row != 0)
        {
          StriaDatum row = dict->row;

          self->n_stack = at;
          if (give_number_back (self, self->stack[at - 1], row, &self->n_dicts))
            self->stack[at - 1] = row;
          return;
        }
    }
  if (dict->n + n > dict->capacity)
    {
      gsize capacity = dict->n == 0 ? n : MAX (dict->n + n, (gsize) dict->capacity * 2);
      if (capacity > G_MAXUINT32
          || !stria_values_charge (self, (capacity - dict->capacity) * sizeof (StriaDatumPair)))
        {
          stria_values_fail (self, STRIA_ERROR_LIMIT, "a dict of more than 2^32 keys");
          return;
        }
      dict->pairs = g_renew (StriaDatumPair, dict->pairs, capacity);
      dict->capacity = (guint32) capacity;
    }
  memcpy (dict->pairs + dict->n, self->stack + at, n * sizeof (StriaDatumPair));
  dict->n += (guint32) n;
  self->n_stack = at;
}

void
stria_values_setitems (StriaValues *self)
{
  gsize at;

  if (pop_mark (self, &at))
    set_from (self, at);
}

void
stria_values_setitem (StriaValues *self)
{
  if (stria_values_need (self, 3))
    set_from (self, self->n_stack - 2);
}

void
stria_values_tuple (StriaValues *self, int n)
{
  gsize at;

  if (n < 0)
    {
      if (!pop_mark (self, &at))
        return;
    }
  else
    {
      if (!stria_values_need (self, (gsize) n))
        return;
      at = self->n_stack - (gsize) n;
    }
  if (self->n_stack - at == 2)
    {
      StriaDatum a = self->stack[at], b = self->stack[at + 1];
      if (stria_datum_kind (a) == STRIA_VALUE_KIND_INT && stria_datum_kind (b) == STRIA_VALUE_KIND_INT
          && stria_datum_payload (a) < STRIA_PAIR_MEMBER_MAX && stria_datum_payload (b) < STRIA_PAIR_MEMBER_MAX)
        {
          self->n_stack = at;
          stria_values_push (self, stria_datum (STRIA_VALUE_KIND_PAIR,
                                                stria_datum_payload (a) << 29
                                                    | stria_datum_payload (b)));
          return;
        }
    }
  /* A list in the tuple's place, under the items. */
  stria_values_push_list (self);
  if (self->error != NULL)
    return;
  StriaDatum list = self->stack[--self->n_stack];
  resolve_from (self, at);
  list_add (self, stria_datum_payload (list), self->stack + at, self->n_stack - at);
  self->n_stack = at;
  stria_values_push (self, list);
}

void
stria_values_pop (StriaValues *self)
{
  /* POP on a mark takes the mark, as in CPython. */
  if (self->n_marks > 0 && self->marks[self->n_marks - 1] == self->n_stack)
    self->n_marks--;
  else if (stria_values_need (self, 1))
    self->n_stack--;
}

void
stria_values_pop_mark (StriaValues *self)
{
  gsize at;

  if (pop_mark (self, &at))
    self->n_stack = at;
}

void
stria_values_dup (StriaValues *self)
{
  if (!stria_values_need (self, 1))
    return;
  stria_values_copied (self, self->stack[self->n_stack - 1]);
  stria_values_push (self, self->stack[self->n_stack - 1]);
}

StriaDatum
stria_values_take (StriaValues *self)
{
  if (!stria_values_need (self, 1))
    return stria_datum (STRIA_VALUE_KIND_NIL, 0);
  return stria_values_resolve (self, self->stack[--self->n_stack]);
}

StriaDatum
stria_values_top (StriaValues *self)
{
  if (self->n_stack == 0)
    return stria_datum (STRIA_VALUE_KIND_NIL, 0);
  return stria_values_resolve (self, self->stack[self->n_stack - 1]);
}

gsize
stria_values_depth (StriaValues *self)
{
  return self->n_stack;
}

static gboolean
is_unfilled (StriaValues *self, StriaDatum value)
{
  guint64 id = stria_datum_payload (value);

  return stria_datum_kind (value) == STRIA_VALUE_KIND_DICT && self->dicts[id].row == 0
         && self->dicts[id].n == 0;
}

/* A list or dict on a list, among the pairs of a dict, is an item of a list that is open: keys are
 * neither, so that it cannot be a key. (JSON has no marks for lists.) */
static void
close_lists (StriaValues *self, gsize at)
{
  while (self->n_stack > at + 1 && self->error == NULL
         && stria_datum_kind (self->stack[self->n_stack - 2]) == STRIA_VALUE_KIND_LIST
         && stria_datum_kind (self->stack[self->n_stack - 1]) != STRIA_VALUE_KIND_STRING)
    {
      if (is_unfilled (self, self->stack[self->n_stack - 1]))
        self->n_stack--;
      else
        append_from (self, self->n_stack - 1);
    }
}

void
stria_values_unwind (StriaValues *self)
{
  g_clear_error (&self->error);
  while (self->n_marks > 0 && self->error == NULL)
    {
      gsize at = self->marks[--self->n_marks];
      StriaValueKind kind
          = at > 0 ? stria_datum_kind (self->stack[at - 1]) : STRIA_VALUE_KIND_NIL;

      if (kind == STRIA_VALUE_KIND_LIST)
        {
          if (self->n_stack > at && is_unfilled (self, self->stack[self->n_stack - 1]))
            self->n_stack--;
          append_from (self, at);
        }
      else if (kind == STRIA_VALUE_KIND_DICT && at == 1)
        {
          close_lists (self, at);
          self->n_stack -= (self->n_stack - at) % 2;
          set_from (self, at);
        }
      else
        {
          /* A dict that was being filled, or a tuple: not whole, so not shown. Its own list items
           * were. */
          self->n_stack = at;
        }
    }
  /* What stands on the stack without a mark was being put into the one below. */
  while (self->n_stack > 1 && self->error == NULL)
    {
      StriaValueKind below = stria_datum_kind (self->stack[self->n_stack - 2]);
      if (below == STRIA_VALUE_KIND_LIST && !is_unfilled (self, self->stack[self->n_stack - 1]))
        append_from (self, self->n_stack - 1);
      else if (self->n_stack == 3 && stria_datum_kind (self->stack[0]) == STRIA_VALUE_KIND_DICT
               && below == STRIA_VALUE_KIND_STRING)
        set_from (self, 1);
      else
        self->n_stack--;
    }
}

const StriaDatum *
stria_values_list (StriaValues *self, StriaDatum value, gsize *n)
{
  guint64 id = stria_datum_payload (value);

  *n = 0;
  if (stria_datum_kind (value) != STRIA_VALUE_KIND_LIST || id >= self->n_lists
      || self->lists[id].capacity == STRIA_ROW_CAPACITY)
    return NULL;
  if (self->rows_list == id + 1)
    stria_values_keep_rows (self);
  *n = self->lists[id].n;
  return self->lists[id].items;
}

const guint32 *
stria_values_rows (StriaValues *self, StriaDatum value, gsize *n)
{
  *n = 0;
  if (stria_datum_kind (value) != STRIA_VALUE_KIND_LIST || self->rows_list == 0
      || stria_datum_payload (value) != self->rows_list - 1)
    return NULL;
  *n = self->lists[self->rows_list - 1].n;
  return self->rows;
}

const StriaDatumPair *
stria_values_dict (StriaValues *self, StriaDatum value, gsize *n)
{
  guint64 id = stria_datum_payload (value);

  *n = 0;
  if (stria_datum_kind (value) != STRIA_VALUE_KIND_DICT || id >= self->n_dicts)
    return NULL;
  *n = self->dicts[id].n;
  return self->dicts[id].pairs;
}

void
stria_values_replace_list (StriaValues *self, StriaDatum list, StriaDatum row)
{
  guint64 id = stria_datum_payload (list);

  if (stria_datum_kind (list) != STRIA_VALUE_KIND_LIST || id >= self->n_lists
      || self->lists[id].capacity == STRIA_ROW_CAPACITY)
    return;
  self->bytes -= MIN (self->bytes, (gsize) self->lists[id].capacity * sizeof (StriaDatum));
  if (self->rows_list == id + 1)
    self->rows_list = 0;
  else
    g_free (self->lists[id].items);
  if (!give_number_back (self, list, row, &self->n_lists))
    self->lists[id] = (StriaList){ .items = NULL, .row = row, .capacity = STRIA_ROW_CAPACITY };
}
