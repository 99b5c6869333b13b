/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "stria-error.h"
#include "stria-pickle-private.h"
#include "stria-pickle.h"

/* Few enough bytes that they are still near when they are read, and that a ring of them is small
 * against what is kept of them */
#define BLOCK ((gsize) 256 << 10)

/* Constructors that only wrap data: a call of them gives the data (formats: A1.3). The name is
 * "module name". */
typedef enum
{
  CALL_REFUSED,  /* an opaque value */
  CALL_ARGUMENT, /* the first argument as it is */
  CALL_DICT,     /* an empty dict */
} CallKind;

static CallKind
call_kind (const char *what)
{
  static const char *const argument[] = {
    "torch.jit._pickle build_intlist",    "torch.jit._pickle build_doublelist",
    "torch.jit._pickle build_boollist",   "torch.jit._pickle build_tensorlist",
    "_codecs encode",                     "torch device",
  };

  for (guint i = 0; i < G_N_ELEMENTS (argument); i++)
    if (strcmp (what, argument[i]) == 0)
      return CALL_ARGUMENT;
  return strcmp (what, "collections OrderedDict") == 0 ? CALL_DICT : CALL_REFUSED;
}

static double
get_real (const guint8 *p)
{
  guint64 bits;
  double value;
  memcpy (&bits, p, 8);
  bits = GUINT64_FROM_BE (bits);
  memcpy (&value, &bits, 8);
  return value;
}

/* Bytes of an operation with an operand of @length bytes in it; 0 when there are not that many. */
static gsize
sized (StriaPickle *self, const guint8 *p, const guint8 *end, gsize header, guint64 length)
{
  if (length > STRIA_VALUES_MAX_STRING)
    {
      stria_values_fail (self->values, STRIA_ERROR_LIMIT,
                         _("a text or number of %" PRIu64 " bytes; %zu at most"),
                         length, STRIA_VALUES_MAX_STRING);
      return 0;
    }
  return (gsize) (end - p) >= header + length ? header + (gsize) length : 0;
}

/* NEWOBJ, REDUCE and their like: callable and arguments are on the stack. */
static void
call (StriaPickle *self)
{
  StriaDatum arguments = stria_values_take (self->values);
  StriaDatum callable = stria_values_take (self->values);
  const char *what = "object";
  gsize n;

  if (stria_datum_kind (callable) == STRIA_VALUE_KIND_OPAQUE)
    what = self->client->text (self->client_data, (guint32) stria_datum_payload (callable));
  switch (call_kind (what))
    {
    case CALL_ARGUMENT:
      {
        const StriaDatum *items = stria_values_list (self->values, arguments, &n);
        if (n > 0)
          {
            stria_values_push (self->values, items[0]);
            return;
          }
        break;
      }
    case CALL_DICT:
      stria_values_push_dict (self->values);
      return;
    case CALL_REFUSED:
    default:
      break;
    }
  stria_values_push_opaque (self->values, what);
}

static void
push_global (StriaPickle *self, const char *module, gsize module_length, const char *name,
             gsize name_length)
{
  g_autofree char *what = g_strdup_printf ("%.*s %.*s", (int) MIN (module_length, 200), module,
                                           (int) MIN (name_length, 200), name);
  guint32 id = self->client->intern (self->client_data, what, strlen (what));

  if (call_kind (what) == CALL_REFUSED)
    self->client->opaque (self->client_data, what);
  stria_values_push (self->values, stria_datum (STRIA_VALUE_KIND_OPAQUE, id));
}

static gsize
read_global (StriaPickle *self, const guint8 *p, const guint8 *end)
{
  const guint8 *first = memchr (p + 1, '\n', (gsize) (end - p - 1));
  const guint8 *second = first != NULL && first + 1 < end
                             ? memchr (first + 1, '\n', (gsize) (end - first - 1))
                             : NULL;

  if (second == NULL)
    {
      if (end - p > 65536)
        stria_values_fail (self->values, STRIA_ERROR_MALFORMED,
                           _("a class name of more than 65536 bytes"));
      return 0;
    }
  push_global (self, (const char *) p + 1, (gsize) (first - p - 1), (const char *) first + 1,
               (gsize) (second - first - 1));
  return (gsize) (second + 1 - p);
}

static void
stack_global (StriaPickle *self)
{
  StriaDatum name = stria_values_take (self->values);
  StriaDatum module = stria_values_take (self->values);

  if (stria_datum_kind (name) != STRIA_VALUE_KIND_STRING
      || stria_datum_kind (module) != STRIA_VALUE_KIND_STRING)
    {
      stria_values_fail (self->values, STRIA_ERROR_MALFORMED, _("a class name that is no text"));
      return;
    }
  const char *m = self->client->text (self->client_data, (guint32) stria_datum_payload (module));
  const char *n = self->client->text (self->client_data, (guint32) stria_datum_payload (name));
  push_global (self, m, strlen (m), n, strlen (n));
}

/* A list of pairs under a mark becomes a dict (DICT), items a list (LIST). */
static void
collect (StriaPickle *self, gboolean as_dict)
{
  /* The container has to stand under the mark: items are taken off and put on again. */
  StriaValues *values = self->values;
  stria_values_tuple (values, -1);
  StriaDatum list = stria_values_take (values);
  gsize n;
  const StriaDatum *items = stria_values_list (values, list, &n);

  if (!as_dict)
    {
      if (stria_datum_kind (list) == STRIA_VALUE_KIND_PAIR)
        {
          stria_values_push_list (values);
          stria_values_push_int (values, (gint64) (stria_datum_payload (list) >> 29));
          stria_values_append (values);
          stria_values_push_int (values,
                                 (gint64) (stria_datum_payload (list) & ((1u << 29) - 1)));
          stria_values_append (values);
        }
      else
        stria_values_push (values, list);
      return;
    }
  stria_values_push_dict (values);
  for (gsize i = 0; i + 1 < n; i += 2)
    {
      /* The list may move when others are made, its items do not. */
      stria_values_push (values, items[i]);
      stria_values_push (values, items[i + 1]);
      stria_values_setitem (values);
    }
}

/* One operation at @p. Returns its length, or 0 when it is not whole or failed. */
static gsize
step (StriaPickle *self, const guint8 *p, const guint8 *end)
{
  StriaValues *v = self->values;
  gsize left = (gsize) (end - p), n;
#define NEED(bytes)                                                                                \
  if (left < (bytes))                                                                              \
    return 0

  switch (*p)
    {
    case OP_LONG_BINGET:
      NEED (5);
      stria_values_get (v, stria_load32 (p + 1));
      return 5;
    case OP_BINGET:
      NEED (2);
      stria_values_get (v, p[1]);
      return 2;
    case OP_MEMOIZE:
      stria_values_memoize (v);
      return 1;
    case OP_BININT:
      NEED (5);
      stria_values_push_int (v, (gint32) stria_load32 (p + 1));
      return 5;
    case OP_BININT1:
      NEED (2);
      stria_values_push_int (v, p[1]);
      return 2;
    case OP_BININT2:
      NEED (3);
      stria_values_push_int (v, p[1] | p[2] << 8);
      return 3;
    case OP_LONG1:
      NEED (2);
      if ((n = sized (self, p, end, 2, p[1])) != 0)
        stria_values_push_bytes_int (v, p + 2, n - 2);
      return n;
    case OP_LONG4:
      NEED (5);
      if ((n = sized (self, p, end, 5, stria_load32 (p + 1))) != 0)
        stria_values_push_bytes_int (v, p + 5, n - 5);
      return n;
    case OP_SHORT_BINUNICODE:
      NEED (2);
      if ((n = sized (self, p, end, 2, p[1])) != 0)
        stria_values_push_string (v, (const char *) p + 2, n - 2);
      return n;
    case OP_BINUNICODE:
      NEED (5);
      if ((n = sized (self, p, end, 5, stria_load32 (p + 1))) != 0)
        stria_values_push_string (v, (const char *) p + 5, n - 5);
      return n;
    case OP_BINUNICODE8:
      NEED (9);
      if ((n = sized (self, p, end, 9, stria_load64 (p + 1))) != 0)
        stria_values_push_string (v, (const char *) p + 9, n - 9);
      return n;
    case OP_SHORT_BINBYTES:
      NEED (2);
      if ((n = sized (self, p, end, 2, p[1])) != 0)
        stria_values_push_opaque (v, "bytes");
      return n;
    case OP_BINBYTES:
      NEED (5);
      if ((n = sized (self, p, end, 5, stria_load32 (p + 1))) != 0)
        stria_values_push_opaque (v, "bytes");
      return n;
    case OP_BINBYTES8:
    case OP_BYTEARRAY8:
      NEED (9);
      if ((n = sized (self, p, end, 9, stria_load64 (p + 1))) != 0)
        stria_values_push_opaque (v, "bytes");
      return n;
    case OP_BINPUT:
      NEED (2);
      stria_values_put (v, p[1]);
      return 2;
    case OP_LONG_BINPUT:
      NEED (5);
      stria_values_put (v, stria_load32 (p + 1));
      return 5;
    case OP_MARK:
      stria_values_mark (v);
      return 1;
    case OP_EMPTY_DICT:
      stria_values_push_dict (v);
      return 1;
    case OP_EMPTY_LIST:
    case OP_EMPTY_TUPLE:
      stria_values_push_list (v);
      return 1;
    case OP_SETITEMS:
      stria_values_setitems (v);
      return 1;
    case OP_SETITEM:
      stria_values_setitem (v);
      return 1;
    case OP_APPENDS:
      stria_values_appends (v);
      return 1;
    case OP_APPEND:
      stria_values_append (v);
      return 1;
    case OP_TUPLE1:
    case OP_TUPLE2:
    case OP_TUPLE3:
      stria_values_tuple (v, *p - OP_TUPLE1 + 1);
      return 1;
    case OP_TUPLE:
      stria_values_tuple (v, -1);
      return 1;
    case OP_LIST:
    case OP_DICT:
      collect (self, *p == OP_DICT);
      return 1;
    case OP_NONE:
      stria_values_push (v, stria_datum (STRIA_VALUE_KIND_NIL, 0));
      return 1;
    case OP_NEWTRUE:
    case OP_NEWFALSE:
      stria_values_push (v, stria_datum (STRIA_VALUE_KIND_BOOL, *p == OP_NEWTRUE));
      return 1;
    case OP_BINFLOAT:
      NEED (9);
      stria_values_push_real (v, get_real (p + 1));
      return 9;
    case OP_POP:
      stria_values_pop (v);
      return 1;
    case OP_POP_MARK:
      stria_values_pop_mark (v);
      return 1;
    case OP_DUP:
      stria_values_dup (v);
      return 1;
    case OP_PROTO:
      NEED (2);
      if (p[1] < 2 || p[1] > 5)
        stria_values_fail (v, STRIA_ERROR_UNSUPPORTED,
                           _("a pickle of protocol %u; 2 to 5 are read"), p[1]);
      return 2;
    case OP_FRAME:
      /* A hint how much to read at once; it binds nobody. */
      NEED (9);
      return 9;
    case OP_STOP:
      self->stopped = TRUE;
      return 1;
    case OP_GLOBAL:
      return read_global (self, p, end);
    case OP_STACK_GLOBAL:
      stack_global (self);
      return 1;
    case OP_REDUCE:
    case OP_NEWOBJ:
      call (self);
      return 1;
    case OP_NEWOBJ_EX:
      stria_values_take (v);
      call (self);
      return 1;
    case OP_BUILD:
      /* State for an object: the object stays opaque, the state is dropped. */
      stria_values_take (v);
      return 1;
    case OP_OBJ:
      stria_values_pop_mark (v);
      stria_values_push_opaque (v, "object");
      return 1;
    case OP_BINPERSID:
      stria_values_take (v);
      stria_values_push_opaque (v, "persistent id");
      return 1;
    case OP_EXT1:
      NEED (2);
      stria_values_push_opaque (v, "extension");
      return 2;
    case OP_EXT2:
      NEED (3);
      stria_values_push_opaque (v, "extension");
      return 3;
    case OP_EXT4:
      NEED (5);
      stria_values_push_opaque (v, "extension");
      return 5;
    case OP_EMPTY_SET:
      stria_values_push_list (v);
      return 1;
    case OP_ADDITEMS:
      stria_values_appends (v);
      return 1;
    case OP_FROZENSET:
      stria_values_tuple (v, -1);
      return 1;
    case 'I':
    case 'L':
    case 'F':
    case 'V':
    case 'S':
    case 'U':
    case 'T':
    case 'g':
    case 'p':
    case 'P':
    case 'i':
      stria_values_fail (v, STRIA_ERROR_UNSUPPORTED,
                         _("opcode “%c” of a protocol 0 or 1 pickle; protocols 2 to 5 are read"), *p);
      return 0;
    case OP_NEXT_BUFFER:
    case OP_READONLY_BUFFER:
    default:
      stria_values_fail (v, STRIA_ERROR_UNSUPPORTED, _("opcode 0x%02x, which is not read"), *p);
      return 0;
    }
#undef NEED
}

static gboolean
take_error (StriaPickle *self, gsize at, GError **error)
{
  const GError *found = stria_values_error (self->values);

  if (found == NULL)
    return TRUE;
  g_set_error (error, found->domain, found->code, _("%s: at offset %" PRIu64 ": %s"),
               self->name, self->base + at, found->message);
  return FALSE;
}

gboolean
stria_pickle_sniff (const guint8 *head, gsize length)
{
  return length >= 3 && head[0] == OP_PROTO && head[1] >= 2 && head[1] <= 5;
}

gboolean
stria_pickle_read (StriaSource *source, StriaValues *values, const char *name, gboolean *cut,
                   GCancellable *cancellable, void (*progress) (guint64 bytes, gpointer data),
                   gpointer data, GError **error)
{
  StriaPickle self = { .values = values, .name = name };
  g_autoptr (GByteArray) rest = g_byte_array_new ();
  gboolean ok = TRUE;

  stria_values_get_client (values, &self.client, &self.client_data);
  stria_pickle_prepare (&self);
  stria_source_limit_block_size (source, BLOCK);
  *cut = FALSE;
  while (ok && !self.stopped)
    {
      const guint8 *block, *p, *end;
      gsize length;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      if (!stria_source_read (source, &block, &length, error))
        {
          ok = FALSE;
          break;
        }
      if (length == 0)
        {
          *cut = TRUE;
          break;
        }

      /* An operation that a block's border cuts is finished in a buffer of its own. */
      if (rest->len > 0)
        {
          gsize taken = 0;
          while (ok && !self.stopped && rest->len > 0 && taken < length)
            {
              gsize more = MIN (length - taken, MAX (256, (gsize) rest->len));
              g_byte_array_append (rest, block + taken, (guint) more);
              taken += more;
              p = rest->data;
              gsize used = step (&self, p, p + rest->len);
              ok = take_error (&self, 0, error);
              if (used == 0)
                continue;
              /* Only the operation itself counts: what else was copied is read from the block. */
              gsize surplus = rest->len - used;
              self.base += used;
              taken -= MIN (surplus, taken);
              g_byte_array_set_size (rest, 0);
            }
          if (!ok || self.stopped)
            break;
          if (rest->len > 0)
            continue;
          block += taken;
          length -= taken;
        }
      p = block;
      end = block + length;
      while (p < end && !self.stopped)
        {
          p = stria_pickle_run (&self, p, end);
          if (G_UNLIKELY (values->error != NULL || p == end))
            break;
          gsize used = step (&self, p, end);
          if (G_UNLIKELY (used == 0 || values->error != NULL))
            break;
          p += used;
        }
      ok = take_error (&self, (gsize) (p - block), error);
      self.base += (guint64) (p - block);
      if (ok && !self.stopped)
        g_byte_array_append (rest, p, (guint) (end - p));
      if (progress != NULL)
        progress (self.base, data);
    }
  if (!self.stopped)
    {
      if (self.base == 0 && rest->len == 0 && ok)
        {
          g_set_error (error, STRIA_ERROR, STRIA_ERROR_EMPTY, _("%s: the file is empty"), name);
          return FALSE;
        }
      stria_values_unwind (values);
    }
  return ok;
}
