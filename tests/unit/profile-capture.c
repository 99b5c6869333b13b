/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "profile-capture.h"

#include <string.h>

static const char stack[] = "  File \"m.py\", line 3, in forward\n    y = self.relu(x)\n";
static const char exact_label[] = "{\"event_id\": 1, \"aten_info\": {\"node_name\": \"conv\", "
                                  "\"operator_name\": \"aten.conv\"}}";
static const char near_label[]
    = "{\"aten_info\": {\"node_name\": \"renamed\"}, \"torch_info\": {\"stack_trace\": "
      "[\"File \\\"m.py\\\", line 3, in forward\", \"y = self.relu(x)\"], "
      "\"nn_module_stack\": {\"k\": [\"net.act\", \"torch.nn.ReLU\"]}}}";

void
made_add_record (ProfileMaker *maker, const MadeChanges *changes)
{
  const MakerNode nodes[] = {
    { "quant", 1 },
    { "conv", 2, NULL, NULL,
      "[{\"name\": \"conv2d\", \"from_node\": [{\"name\": \"torch_conv\"}]}]" },
    { "relu", 3, stack, ",,Net;k,net.act,torch.nn.ReLU" },
    { "rest", 3 },
    { "dequant", 4 },
    { "lost", 9 },
  };
  guint32 method;

  maker_begin (maker, "/made/model.etrecord", 10);
  maker_record (maker);
  method = maker_method (maker, "forward", nodes, G_N_ELEMENTS (nodes));
  maker_handle (maker, method, 0, 1);
  maker_handle (maker, method, 1, 2);
  maker_handle (maker, method, 1, 3);
  maker_handle (maker, method, 2, 4);
  maker_delegate (maker, method, 1, "VgfBackend");
  if (changes->two_calls)
    maker_delegate (maker, method, 2, "VgfBackend");
  if (changes->two_methods)
    {
      method = maker_method (maker, "encode", nodes, 2);
      maker_handle (maker, method, 0, 1);
    }
  maker_end (maker);
}

static void
add_statistics (ProfileMaker *maker, const MadeChanges *changes, gint32 call, guint execution)
{
  guint32 event = maker_delegate_event (maker, call, "VGF_NEURAL_STATISTICS", 10, 11);
  guint32 payload = maker_payload (maker, event, call);
  guint32 segment;

  if (changes->rejected)
    {
      StriaNxPayloadRow *row
          = STRIA_ROWS (maker->facts, StriaNxPayloadRow, STRIA_TABLE_NX_PAYLOAD) + payload;

      row->state = STRIA_NX_REJECTED;
      row->code = stria_facts_intern (maker->facts, "conflicting", -1);
      row->reason = stria_facts_intern (maker->facts, "modes 0 and 1 contradict", -1);
      return;
    }
  segment = maker_segment (maker, payload, 0, TRUE);
  maker_stripe (maker, segment, 0, "30", "40", 60 + execution);
  if (!changes->other_stripes || execution == 0)
    maker_stripe (maker, segment, 1, "30", "40", 40);
  maker_stripe (maker, segment, 2, "31", "40", 7);
  maker_relation (maker, segment, "30", "20", "10", "Conv2D",
                  changes->bad_label ? "TOSACONV2D_spirv_id_777" : "TOSACONV2D_spirv_id_504");
  maker_relation (maker, segment, "30", "21", "11", "Conv2D", exact_label);
  maker_relation (maker, segment, "31", "22", "12", "Rescale", "nothing knows this");
  maker_relation (maker, segment, "39", "23", "13", "Add", "never ran");
  if (execution == 1 && changes->no_segment_1_2)
    return;
  segment = maker_segment (maker, payload, 1, TRUE);
  if (changes->bad_segment)
    {
      STRIA_ROWS (maker->facts, StriaNxSegmentRow, STRIA_TABLE_NX_SEGMENT)
      [segment].state = STRIA_NX_MALFORMED;
      return;
    }
  maker_stripe (maker, segment, 0, "50", "60", 5);
  maker_relation (maker, segment, "50", "25", "15", "Add", near_label);
}

void
made_add_dump (ProfileMaker *maker, const MadeChanges *changes)
{
  maker_begin (maker, "/made/run.etdump", 20);
  maker_dump (maker);
  maker_run (maker, "Default");
  maker_event (maker, STRIA_DUMP_FRAMEWORK, 0, "Method::init", 0, 22484);
  maker_delegate_event (maker, -1, "VGF_INIT_TOTAL", 5, 105);
  for (guint e = 0; e < 2; e++)
    {
      maker_run (maker, "Execute");
      maker_event (maker, STRIA_DUMP_KERNEL, 0, "native_call_quant.out", 1, 1000001 * (e + 1) - e);
      maker_event (maker, STRIA_DUMP_OPERATOR_CALL, 0, "OPERATOR_CALL", 0, 2000000);
      if (e == 0 || !changes->no_payload_2)
        add_statistics (maker, changes, 1, e);
      maker_event (maker, STRIA_DUMP_DELEGATE_CALL, 1, "DELEGATE_CALL", 0, 4000000);
      if (changes->two_calls)
        {
          if (e == 0 || !changes->second_call_once)
            add_statistics (maker, changes, 2, e);
          maker_event (maker, STRIA_DUMP_DELEGATE_CALL, 2, "DELEGATE_CALL", 0, 1000);
        }
      else
        maker_event (maker, STRIA_DUMP_OPERATOR_CALL, 2, "OPERATOR_CALL", 0, 500000);
      maker_event (maker, STRIA_DUMP_FRAMEWORK, 0, "Method::execute", 0, 8000000 + 1000000 * e);
    }
  maker_end (maker);
}

void
made_add_program (ProfileMaker *maker, const MadeChanges *changes, const char *path, guint64 size,
                  const char *sha256)
{
  const char *labels[] = { "quant", changes->other_delegate ? "EthosUBackend" : "VgfBackend",
                           changes->two_calls ? "VgfBackend" : "dequant" };

  maker_begin (maker, path, size);
  maker_program (maker, size, sha256);
  maker_plan (maker, "forward", labels, G_N_ELEMENTS (labels));
  maker_end (maker);
}

void
made_capture (ProfileMaker *maker, const MadeChanges *changes)
{
  maker_init (maker);
  made_add_record (maker, changes);
  made_add_dump (maker, changes);
  made_add_program (maker, changes, "/made/model.pte", 30, "cc");
}

StriaProfile *
made_profile (ProfileMaker *maker)
{
  g_autoptr (GPtrArray) sets = stria_profile_sets (maker->capture);
  g_autoptr (GError) error = NULL;
  StriaProfile *profile;

  g_assert_cmpuint (sets->len, ==, 1);
  profile = stria_profile_new (maker->capture, sets->pdata[0], "forward", STRIA_TIME_NS, &error);
  g_assert_no_error (error);
  return profile;
}

const StriaEntity *
made_entity (StriaProfile *profile, const char *id)
{
  guint32 number = stria_profile_find_entity (profile, id);

  if (number == STRIA_NO_REF)
    g_error ("there is no entity %s", id);
  return stria_profile_entity (profile, number);
}

const StriaMetric *
made_metric (StriaProfile *profile, const char *id, const char *name, StriaAggregation aggregation)
{
  const StriaMetric *found = stria_profile_find_metric (
      profile, stria_profile_find_entity (profile, id), name, aggregation);

  if (found == NULL)
    g_error ("%s has no %s", id, name);
  return found;
}

double
made_value (StriaProfile *profile, const char *id, const char *name, StriaAggregation aggregation)
{
  const StriaMetric *found = made_metric (profile, id, name, aggregation);

  g_assert_true (found->available);
  g_assert_null (found->reason);
  return found->value;
}

const StriaLink *
made_link (StriaProfile *profile, const char *from, const char *to, const char *kind)
{
  guint32 a = stria_profile_find_entity (profile, from);
  guint32 b = stria_profile_find_entity (profile, to);

  for (guint32 i = 0; i < stria_profile_n_links (profile); i++)
    {
      const StriaLink *link = stria_profile_link (profile, i);

      if (link->from == a && link->to == b && g_str_equal (link->kind, kind))
        return link;
    }
  return NULL;
}

gboolean
made_remark (GPtrArray *remarks, const char *code)
{
  for (guint i = 0; i < remarks->len; i++)
    if (g_str_equal (((StriaRemark *) remarks->pdata[i])->code, code))
      return TRUE;
  return FALSE;
}

StriaCheckState
made_check (StriaProfile *profile, const char *name)
{
  GPtrArray *checks = stria_profile_get_checks (profile);

  for (guint i = 0; i < checks->len; i++)
    if (g_str_equal (((StriaCheck *) checks->pdata[i])->name, name))
      return ((StriaCheck *) checks->pdata[i])->state;
  g_error ("there is no check %s", name);
}
