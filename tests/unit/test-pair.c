/* SPDX-License-Identifier: Apache-2.0 */
/* Which file belongs to which: every documented name, and every way in which a device profile finds
 * or misses its program. */
#include "config.h"

#include <string.h>

#include "stria-names.h"
#include "stria-neff-header.h"
#include "stria-pair.h"

/* -- names ---------------------------------------------------------------------------------- */

typedef struct
{
  const char *test;
  const char *name;
  const char *hash; /* NULL: none */
  const char *stem;
  gint64 instance_number, vnc, nc, session, rank, exec, pid, model;
} NameCase;

static const NameCase names[] = {
  { "inspect-model-mode-profile", "14382885777943380728_instid_0_vnc_31.ntff",
    "14382885777943380728", "14382885777943380728", 0, 31, -1, -1, -1, -1, -1, -1 },
  { "inspect-model-mode-program", "neff_395760075800974.neff", "395760075800974",
    "neff_395760075800974", -1, -1, -1, -1, -1, -1, -1, -1 },
  { "hash-and-vnc-profile", "395760075800974_vnc_1.ntff", "395760075800974", "395760075800974", -1,
    1, -1, -1, -1, -1, -1, -1 },
  { "session-mode-profile", "profile_nc_3_session_12.ntff", NULL, "profile", -1, -1, 3, 12, -1, -1,
    -1, -1 },
  { "session-mode-program", "neff_77_vnc_0.neff", "77", "neff_77", -1, 0, -1, -1, -1, -1, -1, -1 },
  { "vllm-program", "graph_0a1b2c.neff", "0a1b2c", "graph_0a1b2c", -1, -1, -1, -1, -1, -1, -1, -1 },
  { "capture-one-worker", "profile.ntff", NULL, "profile", -1, -1, -1, -1, -1, -1, -1, -1 },
  { "capture-several-workers", "profile_rank_3.ntff", NULL, "profile", -1, -1, -1, -1, 3, -1, -1,
    -1 },
  { "capture-nth-execution", "profile_exec_2.ntff", NULL, "profile", -1, -1, -1, -1, -1, 2, -1,
    -1 },
  { "capture-worker-and-execution", "my_run_rank_12_exec_2.ntff", NULL, "my_run", -1, -1, -1, -1,
    12, 2, -1, -1 },
  { "nrtpy-save-trace", "model.ntff", NULL, "model", -1, -1, -1, -1, -1, -1, -1, -1 },
  { "continuous-profiling", "model_9_pid_4321_vnc_2_inst_1_20260401_120501.ntff", NULL,
    "model_9_pid_4321_vnc_2_inst_1_20260401_120501", 1, 2, -1, -1, -1, -1, 4321, 9 },
  { "any-name", "rank_7.ntff", NULL, "rank_7", -1, -1, -1, -1, -1, -1, -1, -1 },
  { "number-too-long", "p_rank_1234567890123456789012.ntff", NULL, "p_rank_1234567890123456789012",
    -1, -1, -1, -1, -1, -1, -1, -1 },
};

static void
test_name (gconstpointer data)
{
  const NameCase *expected = data;
  g_auto (StriaNeuronName) name = { 0 };

  g_assert_true (stria_neuron_name_parse (expected->name, &name));
  g_assert_cmpstr (name.hash, ==, expected->hash);
  g_assert_cmpstr (name.stem, ==, expected->stem);
  g_assert_cmpint (name.instance_number, ==, expected->instance_number);
  g_assert_cmpint (name.vnc, ==, expected->vnc);
  g_assert_cmpint (name.nc, ==, expected->nc);
  g_assert_cmpint (name.session, ==, expected->session);
  g_assert_cmpint (name.rank, ==, expected->rank);
  g_assert_cmpint (name.exec, ==, expected->exec);
  g_assert_cmpint (name.pid, ==, expected->pid);
  g_assert_cmpint (name.model, ==, expected->model);
}

static void
test_folders (void)
{
  g_autofree char *instance = NULL;
  g_auto (StriaNeuronName) name = { 0 };
  gint64 n = 0;

  g_assert_true (stria_neuron_folder_process ("i-0125abcd_pid_98399", &instance, &n));
  g_assert_cmpstr (instance, ==, "i-0125abcd");
  g_assert_cmpint (n, ==, 98399);
  g_clear_pointer (&instance, g_free);
  g_assert_true (stria_neuron_folder_process ("a_pid_node_pid_1", &instance, &n));
  g_assert_cmpstr (instance, ==, "a_pid_node");
  g_clear_pointer (&instance, g_free);
  g_assert_false (stria_neuron_folder_process ("_pid_1", &instance, &n));
  g_assert_false (stria_neuron_folder_process ("i-0125abcd-98399", &instance, &n));
  g_assert_true (stria_neuron_folder_session ("1776672348756756905", &n));
  g_assert_cmpint (n, ==, 1776672348756756905);
  g_assert_false (stria_neuron_folder_session ("17766723487567569051", &n));
  g_assert_false (stria_neuron_folder_session ("neffs", &n));
  g_assert_cmpint (stria_neuron_framework_rank ("memory_snapshot_rank3.pickle"), ==, 3);
  g_assert_cmpint (stria_neuron_framework_rank ("neuron_framework_trace_rank_12.json"), ==, 12);
  g_assert_cmpint (stria_neuron_framework_rank ("trace.json"), ==, -1);
  g_assert_false (stria_neuron_name_parse ("ntrace.pb", &name));
}

/* -- headers -------------------------------------------------------------------------------- */

static void
put (guint8 *at, guint64 value, gsize bytes)
{
  for (gsize i = 0; i < bytes; i++)
    at[i] = (guint8) (value >> (8 * i));
}

static void
make_header (guint8 *bytes, guint8 uuid)
{
  memset (bytes, 0, STRIA_NEFF_HEADER_BYTES + 512);
  put (bytes, 2, 8);
  put (bytes + 0x008, 1024, 8);
  put (bytes + 0x010, 512, 8);
  put (bytes + 0x018, 2, 8);
  strcpy ((char *) bytes + 0x028, "2.0.21884.0");
  put (bytes + 0x0a8, 1, 4);
  memset (bytes + 0x0cc, uuid, 16);
  strcpy ((char *) bytes + 0x0dc, "net");
  put (bytes + 0x220, 0x402, 8);
  put (bytes + 0x228, 2, 4);
  bytes[1024] = 0x1f;
  bytes[1025] = 0x8b;
}

static void
test_header (void)
{
  guint8 bytes[STRIA_NEFF_HEADER_BYTES + 512];
  StriaNeffHeader header;

  make_header (bytes, 0xab);
  g_assert_true (stria_neff_header_parse (bytes, sizeof bytes, sizeof bytes, &header));
  g_assert_cmpuint (header.pkg_version, ==, 2);
  g_assert_cmpuint (header.data_size, ==, 512);
  g_assert_cmpuint (header.version_major, ==, 2);
  g_assert_cmpstr (header.build_version, ==, "2.0.21884.0");
  g_assert_cmpstr (header.uuid_text, ==, "abababababababababababababababab");
  g_assert_cmpstr (header.name, ==, "net");
  g_assert_cmpuint (header.feature_bits, ==, 0x402);
  g_assert_cmpuint (header.lnc_size, ==, 2);

  memset (bytes + 0x0dc, 0xff, 256);
  g_assert_true (stria_neff_header_parse (bytes, sizeof bytes, sizeof bytes, &header));
  g_assert_true (g_utf8_validate (header.name, -1, NULL));

  /* Nothing else has this size field and a payload of these two kinds. */
  for (gsize cut = 0; cut < STRIA_NEFF_HEADER_BYTES; cut++)
    g_assert_false (stria_neff_header_parse (bytes, cut, cut, &header));
  bytes[1024] = 0;
  g_assert_false (stria_neff_header_parse (bytes, sizeof bytes, sizeof bytes, &header));
  memcpy (bytes + 1024 + 257, "ustar", 5);
  g_assert_true (stria_neff_header_parse (bytes, sizeof bytes, sizeof bytes, &header));
  put (bytes + 0x008, 1023, 8);
  g_assert_false (stria_neff_header_parse (bytes, sizeof bytes, sizeof bytes, &header));
}

/* -- pairing -------------------------------------------------------------------------------- */

typedef struct
{
  StriaCapture *capture;
  GPtrArray *identities;
  GHashTable *choices;
  StriaCaptureTree *tree;
} Scene;

static Scene *
scene_new (void)
{
  Scene *scene = g_new0 (Scene, 1);

  scene->capture = stria_capture_new ("/captures/run");
  scene->identities = g_ptr_array_new_with_free_func ((GDestroyNotify) stria_identity_free);
  return scene;
}

static void
scene_free (Scene *scene)
{
  g_clear_pointer (&scene->tree, stria_capture_tree_unref);
  g_clear_pointer (&scene->choices, g_hash_table_unref);
  g_ptr_array_unref (scene->identities);
  g_object_unref (scene->capture);
  g_free (scene);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)

static StriaArtifact *
add (Scene *scene, const char *name, const char *kind, guint64 size, const char *digest)
{
  g_autofree char *path = g_build_filename ("/captures/run", name, NULL);
  g_autoptr (StriaArtifact) artifact = stria_artifact_new (path, NULL, name, size, 0);

  if (kind != NULL)
    stria_artifact_set_kind (artifact, kind, kind);
  stria_artifact_set_digest (artifact, digest);
  if (size == 0)
    stria_artifact_set_state (artifact, STRIA_ARTIFACT_EMPTY, "empty");
  stria_capture_add_artifact (scene->capture, artifact);
  g_ptr_array_add (scene->identities, NULL);
  return artifact;
}

static void
add_program (Scene *scene, const char *name, guint8 uuid)
{
  StriaIdentity *identity = g_new0 (StriaIdentity, 1);
  g_autofree char *digest = g_strdup_printf ("content %u %s", uuid, uuid == 0 ? name : "");

  add (scene, name, "neuron-neff", 2048, digest);
  identity->neff = g_new0 (StriaNeffHeader, 1);
  for (guint i = 0; uuid != 0 && i < 16; i++)
    g_snprintf (identity->neff->uuid_text + 2 * i, 3, "%02x", uuid);
  scene->identities->pdata[scene->identities->len - 1] = identity;
}

/* @executions: bytes of uuids, ended by 0; @uuid 0: the file says none */
static void
add_profile (Scene *scene, const char *name, guint8 uuid, const guint8 *executions)
{
  StriaIdentity *identity = g_new0 (StriaIdentity, 1);

  add (scene, name, "neuron-ntff", 4096, name);
  identity->ntff = g_new0 (StriaNtffPeek, 1);
  identity->ntff->shape = STRIA_NTFF_V6;
  identity->ntff->version = 6;
  identity->ntff->execution_uids = g_ptr_array_new_with_free_func (g_free);
  identity->ntff->node_uids = g_ptr_array_new_with_free_func (g_free);
  for (guint e = 0; executions != NULL && executions[e] != 0; e++)
    {
      GString *text = g_string_new (NULL);

      for (guint i = 0; i < 16; i++)
        g_string_append_printf (text, "%02x", executions[e]);
      g_ptr_array_add (identity->ntff->execution_uids, g_string_free (text, FALSE));
    }
  if (uuid != 0)
    {
      GString *text = g_string_new (NULL);

      for (guint i = 0; i < 16; i++)
        g_string_append_printf (text, "%02x", uuid);
      identity->ntff->uuid = g_string_free (text, FALSE);
    }
  scene->identities->pdata[scene->identities->len - 1] = identity;
}

static void
run (Scene *scene)
{
  scene->tree = stria_pair (scene->capture, scene->identities, scene->choices);
  g_assert_nonnull (scene->tree);
}

static const StriaFiles *
device (Scene *scene, const char *title)
{
  for (guint g = 0; g < stria_capture_tree_size (scene->tree); g++)
    {
      const StriaFiles *group = stria_capture_tree_get (scene->tree, g);

      if (group->kind == STRIA_FILES_DEVICE && g_str_equal (group->title, title))
        return group;
    }
  g_error ("no device profile %s", title);
}

/* The programs of a device profile, "a.neff b.neff" */
static void
assert_programs (Scene *scene, const StriaFiles *group, const char *expected)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 1; i < group->artifacts->len; i++)
    g_string_append_printf (text, "%s%s", i > 1 ? " " : "",
                            stria_artifact_get_name (stria_capture_get_artifact (
                                scene->capture, g_array_index (group->artifacts, guint, i))));
  g_assert_cmpstr (text->str, ==, expected);
}

static gboolean
lacks (Scene *scene, const char *code)
{
  for (guint i = 0; i < stria_capture_tree_n_lacks (scene->tree); i++)
    if (g_str_equal (stria_capture_tree_get_lack (scene->tree, i)->code, code))
      return TRUE;
  return FALSE;
}

/* The UUID in the files decides, even against the number in the names. */
static void
test_uuid (void)
{
  g_autoptr (Scene) scene = scene_new ();

  add_program (scene, "i-0a_pid_7/neff_100.neff", 0x11);
  add_program (scene, "i-0a_pid_7/neff_200.neff", 0x22);
  add_profile (scene, "i-0a_pid_7/100_instid_0_vnc_5.ntff", 0x22, NULL);
  run (scene);
  const StriaFiles *group = device (scene, "100_instid_0_vnc_5.ntff");
  g_assert_cmpint (group->state, ==, STRIA_FILES_COMPLETE);
  g_assert_cmpint (group->rule, ==, STRIA_PAIR_UUID);
  g_assert_cmpint (group->vnc, ==, 5);
  assert_programs (scene, group, "i-0a_pid_7/neff_200.neff");
  const StriaFiles *process = stria_capture_tree_get (scene->tree, group->parent);
  g_assert_cmpint (process->kind, ==, STRIA_FILES_PROCESS);
  g_assert_cmpint (process->pid, ==, 7);
  g_assert_cmpstr (stria_capture_tree_get (scene->tree, process->parent)->title, ==, "i-0a");
  g_assert_true (lacks (scene, "no-system-profile"));
  g_assert_cmpint (stria_capture_tree_types (scene->tree, 0), ==, STRIA_PROFILE_DEVICE);
}

/* Without a UUID: hash, then stem, then the only one there is. */
static void
test_names_only (void)
{
  g_autoptr (Scene) scene = scene_new ();

  add_program (scene, "a_pid_1/neff_100.neff", 0);
  add_program (scene, "a_pid_1/neff_200.neff", 0);
  add_profile (scene, "a_pid_1/100_instid_0_vnc_0.ntff", 0, NULL);
  add_program (scene, "b/model.neff", 0);
  add_program (scene, "b/other.neff", 0);
  add_profile (scene, "b/model_rank_3.ntff", 0, NULL);
  add_program (scene, "c/file.neff", 0);
  add_profile (scene, "c/profile_exec_2.ntff", 0, NULL);
  run (scene);
  g_assert_cmpint (device (scene, "100_instid_0_vnc_0.ntff")->rule, ==, STRIA_PAIR_HASH);
  assert_programs (scene, device (scene, "100_instid_0_vnc_0.ntff"), "a_pid_1/neff_100.neff");
  g_assert_cmpint (device (scene, "model_rank_3.ntff")->rule, ==, STRIA_PAIR_STEM);
  g_assert_cmpint (device (scene, "model_rank_3.ntff")->rank, ==, 3);
  assert_programs (scene, device (scene, "model_rank_3.ntff"), "b/model.neff");
  g_assert_cmpint (device (scene, "profile_exec_2.ntff")->rule, ==, STRIA_PAIR_ONLY);
  assert_programs (scene, device (scene, "profile_exec_2.ntff"), "c/file.neff");
}

static void
test_ambiguous (void)
{
  for (guint pass = 0; pass < 2; pass++)
    {
      g_autoptr (Scene) scene = scene_new ();

      add_program (scene, "one.neff", 0);
      add_program (scene, "two.neff", 0);
      add_profile (scene, "profile.ntff", 0, NULL);
      if (pass == 1)
        {
          scene->choices = g_hash_table_new (g_str_hash, g_str_equal);
          g_hash_table_insert (scene->choices, (char *) "profile.ntff", (char *) "two.neff");
        }
      run (scene);
      const StriaFiles *group = device (scene, "profile.ntff");
      if (pass == 0)
        {
          g_assert_cmpint (group->state, ==, STRIA_FILES_AMBIGUOUS);
          g_assert_cmpuint (group->candidates->len, ==, 2);
          assert_programs (scene, group, "");
        }
      else
        {
          g_assert_cmpint (group->state, ==, STRIA_FILES_COMPLETE);
          g_assert_cmpint (group->rule, ==, STRIA_PAIR_CHOICE);
          assert_programs (scene, group, "two.neff");
        }
    }
}

/* One session's profile ran many programs; they lie in its folder or in `neffs` beside it. */
static void
test_session (void)
{
  static const guint8 all[] = { 0x11, 0x22, 0 }, some[] = { 0x11, 0x99, 0 };
  g_autoptr (Scene) scene = scene_new ();

  add_program (scene, "i-0a_pid_7/1776672348756756905/neff_1_vnc_0.neff", 0x11);
  add_program (scene, "neffs/graph_ab.neff", 0x22);
  add_profile (scene, "i-0a_pid_7/1776672348756756905/profile_nc_0_session_0.ntff", 0, all);
  add_profile (scene, "i-0a_pid_7/1776672348756756905/profile_nc_1_session_0.ntff", 0, some);
  add (scene, "i-0a_pid_7/1776672348756756905/trace_info.pb", "neuron-trace-info", 10, "t");
  add (scene, "i-0a_pid_7/1776672348756756905/ntrace.pb", "neuron-ntrace", 10, "n");
  run (scene);
  const StriaFiles *group = device (scene, "profile_nc_0_session_0.ntff");
  g_assert_cmpint (group->rule, ==, STRIA_PAIR_EXECUTION);
  g_assert_cmpint (group->state, ==, STRIA_FILES_COMPLETE);
  g_assert_cmpint (group->session, ==, 0);
  assert_programs (scene, group,
                   "i-0a_pid_7/1776672348756756905/neff_1_vnc_0.neff neffs/graph_ab.neff");
  const StriaFiles *session = stria_capture_tree_get (scene->tree, group->parent);
  g_assert_cmpint (session->kind, ==, STRIA_FILES_SESSION);
  g_assert_cmpstr (session->title, ==, "1776672348756756905");
  group = device (scene, "profile_nc_1_session_0.ntff");
  g_assert_cmpint (group->state, ==, STRIA_FILES_PARTIAL);
  g_assert_nonnull (strstr (group->reason, "1 of the 2"));
  g_assert_cmpint (stria_capture_tree_types (scene->tree, 0), ==,
                   STRIA_PROFILE_DEVICE | STRIA_PROFILE_SYSTEM);
  g_assert_true (lacks (scene, "no-cpu-util"));
  g_assert_true (lacks (scene, "no-host-mem"));
  g_assert_true (lacks (scene, "no-framework"));
  g_assert_false (lacks (scene, "no-device-profile"));
}

/* Refused for the device view, with the documented code; everything else stays. */
static void
test_refused (void)
{
  g_autoptr (Scene) scene = scene_new ();

  add_program (scene, "a_pid_1/neff_100.neff", 0x11);
  add_profile (scene, "a_pid_1/100_instid_0_vnc_0.ntff", 0x33, NULL);
  add_profile (scene, "b_pid_2/300_instid_0_vnc_0.ntff", 0x44, NULL);
  add_profile (scene, "c_pid_3/400_instid_0_vnc_0.ntff", 0, NULL);
  add (scene, "c_pid_3/ntrace.pb", "neuron-ntrace", 10, "n");
  run (scene);
  const StriaFiles *group = device (scene, "100_instid_0_vnc_0.ntff");
  g_assert_cmpint (group->state, ==, STRIA_FILES_REFUSED);
  g_assert_cmpstr (group->code, ==, "ERROR_PROCESS_INCOMPLETE");
  g_assert_nonnull (strstr (group->reason, "another compilation"));
  g_assert_nonnull (strstr (group->reason, "33333333333333333333333333333333"));
  g_assert_nonnull (strstr (group->reason, "11111111111111111111111111111111"));
  g_assert_cmpint (stria_artifact_get_state (stria_capture_get_artifact (scene->capture, 1)), ==,
                   STRIA_ARTIFACT_REFUSED);
  for (guint i = 0; i < 2; i++)
    {
      group = device (scene, i == 0 ? "300_instid_0_vnc_0.ntff" : "400_instid_0_vnc_0.ntff");
      g_assert_cmpint (group->state, ==, STRIA_FILES_REFUSED);
      g_assert_cmpstr (group->code, ==, "ERROR_PROCESS_INCOMPLETE");
      g_assert_nonnull (strstr (group->remedy, "TORCH_NEURONX_NEFF_CACHE_DIR"));
    }
  g_assert_true (lacks (scene, "no-trace-info"));
  g_assert_cmpint (stria_capture_tree_types (scene->tree, 0), ==, STRIA_PROFILE_SYSTEM);
}

/* A person who opens one file wants to see it. */
static void
test_lone_profile (void)
{
  g_autoptr (Scene) scene = scene_new ();

  add_profile (scene, "profile.ntff", 0x44, NULL);
  run (scene);
  g_assert_cmpint (device (scene, "profile.ntff")->state, ==, STRIA_FILES_PARTIAL);
  g_assert_cmpint (stria_artifact_get_state (stria_capture_get_artifact (scene->capture, 0)), ==,
                   STRIA_ARTIFACT_WAITING);
}

static void
test_idle (void)
{
  g_autoptr (Scene) scene = scene_new ();

  add_program (scene, "a_pid_1/neff_100.neff", 0x11);
  add (scene, "a_pid_1/100_instid_0_vnc_0.ntff", NULL, 0, "");
  run (scene);
  g_assert_cmpint (device (scene, "100_instid_0_vnc_0.ntff")->state, ==, STRIA_FILES_IDLE);
  g_assert_null (device (scene, "100_instid_0_vnc_0.ntff")->code);
  g_assert_true (lacks (scene, "all-idle"));
  g_assert_cmpint (stria_capture_tree_types (scene->tree, 0), ==, 0);
}

/* Hundreds of copies of one program are one entry, and one is read. */
static void
test_alike (void)
{
  g_autoptr (Scene) scene = scene_new ();
  guint alike = 0, entries = 0;

  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *program = g_strdup_printf ("i-0a_pid_%u/neff_100.neff", i + 1);
      g_autofree char *profile = g_strdup_printf ("i-0a_pid_%u/100_instid_0_vnc_%u.ntff", i + 1, i);

      add_program (scene, program, 0x11);
      add_profile (scene, profile, 0x11, NULL);
    }
  run (scene);
  for (guint i = 0; i < 600; i += 2)
    alike += stria_artifact_get_state (stria_capture_get_artifact (scene->capture, i))
             == STRIA_ARTIFACT_ALIKE;
  g_assert_cmpuint (alike, ==, 299);
  for (guint g = 0; g < stria_capture_tree_size (scene->tree); g++)
    {
      const StriaFiles *group = stria_capture_tree_get (scene->tree, g);

      g_assert_cmpint (group->state, ==, STRIA_FILES_COMPLETE);
      if (group->kind != STRIA_FILES_PROGRAMS)
        continue;
      entries++;
      g_assert_cmpuint (group->n_alike, ==, 300);
      g_assert_cmpuint (group->artifacts->len, ==, 300);
    }
  g_assert_cmpuint (entries, ==, 1);
}

/* Exports, framework traces and snapshots stand beside the raw files of their process. */
static void
test_rest (void)
{
  g_autoptr (Scene) scene = scene_new ();
  guint kinds[STRIA_FILES_OTHER + 1] = { 0 };

  add (scene, "run@latest/Instruction_0.parquet", "neuron-parquet", 10, "a");
  add (scene, "run@latest/Summary.parquet", "neuron-parquet", 10, "b");
  add (scene, "i-0a_pid_7/system_profile.json", "neuron-json", 10, "c");
  add (scene, "i-0a_pid_7/trace.json", "pytorch-trace", 10, "d");
  add (scene, "i-0a_pid_7/memory_snapshot_rank3.pickle", "pytorch-snapshot", 10, "e");
  add (scene, "i-0a_pid_7/cpu_util.pb", "neuron-cpu-util", 10, "f");
  add (scene, "code.tar.gz", NULL, 10, "g");
  add (scene, "notes.txt", NULL, 10, "h");
  run (scene);
  for (guint g = 0; g < stria_capture_tree_size (scene->tree); g++)
    {
      const StriaFiles *group = stria_capture_tree_get (scene->tree, g);

      kinds[group->kind]++;
      if (group->kind == STRIA_FILES_EXPORT && group->artifacts->len == 2)
        g_assert_cmpstr (group->title, ==, "run");
      if (g_str_equal (group->title, "memory_snapshot_rank3.pickle"))
        g_assert_cmpint (group->rank, ==, 3);
    }
  g_assert_cmpuint (kinds[STRIA_FILES_EXPORT], ==, 2);
  g_assert_cmpuint (kinds[STRIA_FILES_FRAMEWORK], ==, 2);
  g_assert_cmpuint (kinds[STRIA_FILES_SYSTEM], ==, 1);
  g_assert_cmpuint (kinds[STRIA_FILES_SOURCE], ==, 1);
  g_assert_cmpuint (kinds[STRIA_FILES_OTHER], ==, 1);
  g_assert_cmpuint (kinds[STRIA_FILES_NODE], ==, 1);
  g_assert_cmpuint (stria_capture_tree_of (scene->tree, 4), !=, STRIA_NO_GROUP);
}

static void
test_not_neuron (void)
{
  g_autoptr (Scene) scene = scene_new ();

  add (scene, "trace.json", "pytorch-trace", 10, "d");
  g_assert_null (stria_pair (scene->capture, scene->identities, NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_strconcat ("/pair/name/", names[i].test, NULL);
      g_test_add_data_func (path, &names[i], test_name);
    }
  g_test_add_func ("/pair/folders", test_folders);
  g_test_add_func ("/pair/neff-header", test_header);
  g_test_add_func ("/pair/uuid", test_uuid);
  g_test_add_func ("/pair/names-only", test_names_only);
  g_test_add_func ("/pair/ambiguous", test_ambiguous);
  g_test_add_func ("/pair/session", test_session);
  g_test_add_func ("/pair/refused", test_refused);
  g_test_add_func ("/pair/lone-profile", test_lone_profile);
  g_test_add_func ("/pair/idle", test_idle);
  g_test_add_func ("/pair/alike", test_alike);
  g_test_add_func ("/pair/rest", test_rest);
  g_test_add_func ("/pair/not-neuron", test_not_neuron);
  return g_test_run ();
}
