/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request/beckon-tool-parameter.h"

#include "base/beckon-error.h"
#include "domain/beckon-request-error.h"

#define FOLDER "{\"folder\":{\"access\":\"editable\",\"pinned\":\"/srv\"},\"key\":{\"access\":\"hidden\"}," \
  "\"mode\":{\"access\":\"editable\",\"allowed\":[\"r\",1]}}"

static BeckonParameters *
make (void)
{
  g_autoptr (GError) error = NULL;
  BeckonParameters *parameters = beckon_parameters_from_json (FOLDER, &error);

  g_assert_no_error (error);
  return parameters;
}

static void
test_round_trip (void)
{
  g_autoptr (BeckonParameters) parameters = make ();
  g_autofree char *json = beckon_parameters_to_json (parameters);

  g_assert_cmpstr (json, ==, FOLDER);
  g_assert_cmpuint (beckon_parameters_get_n (parameters), ==, 3);
  g_assert_cmpint (beckon_parameters_find (parameters, "key")->access, ==, BECKON_FORM_HIDDEN);
  g_assert_null (beckon_parameters_find (parameters, "other"));
  g_assert_null (beckon_parameters_find (NULL, "other"));
  g_assert_true (beckon_parameters_add (parameters, "key", BECKON_FORM_EDITABLE, NULL, NULL, NULL));
  g_assert_null (beckon_parameters_find (parameters, "key"));
}

static void
test_unreadable (void)
{
  static const char *const wrong[] = { "", "[]", "{\"a\":{\"pinned\":1,\"allowed\":[2]}}" };
  g_autoptr (BeckonParameters) unknown = beckon_parameters_from_json ("{\"a\":{\"access\":\"from-the-future\"}}", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (beckon_parameters_from_json (wrong[i], &error));
      g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
    }
  g_assert_cmpint (beckon_parameters_find (unknown, "a")->access, ==, BECKON_FORM_HIDDEN);
}

/* A pinned value is what runs, whatever the model wrote, and no other changes. */
static void
test_pinned (void)
{
  g_autoptr (BeckonParameters) parameters = make ();
  g_autofree char *changed = beckon_parameters_apply (parameters, "{ \"folder\": \"/etc\", \"mode\": \"r\" }");
  g_autofree char *added = beckon_parameters_apply (parameters, "{}");
  g_autofree char *same = beckon_parameters_apply (parameters, "{\"folder\" : \"\\/srv\"}");
  g_autofree char *nothing = beckon_parameters_apply (NULL, "{}");
  g_autoptr (GError) error = NULL;

  g_assert_cmpstr (changed, ==, "{ \"folder\": \"/srv\", \"mode\": \"r\" }");
  g_assert_cmpstr (added, ==, "{\"folder\":\"/srv\"}");
  g_assert_null (same);
  g_assert_null (nothing);
  g_assert_true (beckon_parameters_check (parameters, changed, NULL));
  g_assert_false (beckon_parameters_check (parameters, "{\"folder\":\"/etc\"}", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
}

static void
test_allowed (void)
{
  g_autoptr (BeckonParameters) parameters = make ();
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_parameters_check (parameters, "{\"folder\":\"/srv\",\"mode\":1.0}", NULL));
  g_assert_false (beckon_parameters_check (parameters, "{\"folder\":\"/srv\",\"mode\":\"w\"}", &error));
  g_assert_cmpstr (error->message, ==, "The user allows only these values of \"mode\": \"r\", 1");
}

static void
assert_edit (BeckonParameters *parameters, const char *edited, gboolean expected)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (expected == beckon_parameters_check_edit (parameters,
                                                           "{\"folder\":\"/srv\",\"key\":1,\"mode\":\"r\",\"x\":1}", edited,
                                                           &error));
  if (!expected)
    g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
}

static void
test_edit (void)
{
  g_autoptr (BeckonParameters) parameters = make ();

  assert_edit (parameters, "{\"x\":2,\"mode\":1,\"key\":1,\"folder\":\"/srv\"}", TRUE);
  assert_edit (parameters, "{\"folder\":\"/srv\",\"key\":2,\"mode\":\"r\"}", FALSE);
  assert_edit (parameters, "{\"folder\":\"/srv\",\"mode\":\"r\"}", FALSE);
  assert_edit (parameters, "{\"folder\":\"/etc\",\"key\":1,\"mode\":\"r\"}", FALSE);
  assert_edit (parameters, "{\"folder\":\"/srv\",\"key\":1,\"mode\":\"w\"}", FALSE);
  assert_edit (NULL, "{}", TRUE);
}

/* Redacted values leave the text and come back to it, byte for byte where nobody changed anything else. */
static void
test_redact (void)
{
  g_autoptr (BeckonParameters) parameters
      = beckon_parameters_from_json ("{\"key\":{\"access\":\"masked\"},\"trace\":{\"access\":\"hidden\"}}", NULL);
  const char *proposed = "{ \"trace\": [1,2], \"key\": {\"a\":\"tulip\"}, \"n\": 1 }";
  g_autofree char *shown = beckon_parameters_redact (parameters, proposed);
  g_autofree char *restored = NULL;
  g_autofree char *kept = beckon_parameters_dup_redacted (parameters);
  g_autofree char *by = beckon_parameters_show_by (kept, proposed);
  g_autofree char *broken = beckon_parameters_redact (parameters, "{\"key\":\"tulip\"");
  g_autofree char *closed = beckon_parameters_show_by ("nobody knows", proposed);
  g_autoptr (BeckonMask) mask = beckon_parameters_make_mask (parameters, proposed);
  g_autofree char *elsewhere = beckon_mask_apply (mask, "a tulip grows");
  g_autoptr (BeckonMask) closed_mask = beckon_parameters_make_mask_by ("nobody knows", proposed);
  g_autofree char *closed_elsewhere = NULL;

  g_assert_cmpstr (shown, ==, "{ \"key\": \"" BECKON_PARAMETERS_MASK "\", \"n\": 1 }");
  g_assert_cmpstr (by, ==, shown);
  restored = beckon_parameters_restore (parameters, proposed, shown);
  g_assert_cmpstr (restored, ==, "{ \"key\": {\"a\":\"tulip\"}, \"n\": 1, \"trace\": [1,2] }");
  g_assert_true (beckon_parameters_check_edit (parameters, proposed, restored, NULL));
  g_assert_cmpstr (broken, ==, "\"" BECKON_PARAMETERS_MASK "\"");
  g_assert_cmpstr (closed, ==, "\"" BECKON_PARAMETERS_MASK "\"");
  g_assert_cmpstr (elsewhere, ==, "a " BECKON_PARAMETERS_MASK " grows");
  g_assert_nonnull (closed_mask);
  closed_elsewhere = beckon_mask_apply (closed_mask, "a tulip grows");
  g_assert_cmpstr (closed_elsewhere, ==, elsewhere);
}

/* A value is one of any type, however deep it is; what is left of JSON is JSON. */
static void
test_redact_types (void)
{
  const char *redacted = "{\"pin\":{\"access\":\"masked\"},\"in\":{\"access\":\"hidden\"},\"on\":{\"access\":\"masked\"}}";
  const char *arguments = "{\"pin\": 493201, \"in\": [{\"deep\": [7.50, \"tulips\"]}], \"on\": true, \"n\": 493201}";
  g_autoptr (BeckonMask) mask = beckon_parameters_make_mask_by (redacted, arguments);
  g_autofree char *elsewhere = beckon_mask_apply (mask, "493201, 7.50 and 7.5 of dHVsaXBz, is true; 750, 14932");
  g_autofree char *logged = beckon_parameters_log_by (redacted, arguments);

  g_assert_cmpstr (elsewhere, ==,
                   BECKON_PARAMETERS_MASK ", " BECKON_PARAMETERS_MASK " and " BECKON_PARAMETERS_MASK " of "
                   BECKON_PARAMETERS_MASK ", is " BECKON_PARAMETERS_MASK "; 750, 14932");
  g_assert_cmpstr (logged, ==,
                   "{\"pin\": \"" BECKON_PARAMETERS_MASK "\", \"on\": \"" BECKON_PARAMETERS_MASK "\", \"n\": \""
                   BECKON_PARAMETERS_MASK "\"}");
}

static void
test_redacts_nothing (void)
{
  g_autoptr (BeckonParameters) parameters = beckon_parameters_from_json ("{\"a\":{\"access\":\"read-only\"}}", NULL);
  g_autofree char *shown = beckon_parameters_redact (parameters, " {\"a\":1}");

  g_assert_false (beckon_parameters_redacts (parameters));
  g_assert_null (beckon_parameters_dup_redacted (parameters));
  g_assert_null (beckon_parameters_make_mask (parameters, "{\"a\":\"tulip\"}"));
  g_assert_cmpstr (shown, ==, " {\"a\":1}");
}

/* Settings that can't be read show nothing, and nothing runs by them. */
static void
test_closed (void)
{
  g_autoptr (BeckonParameters) parameters = beckon_parameters_new_closed ();
  g_autoptr (GError) error = NULL;

  g_assert_true (beckon_parameters_redacts (parameters));
  g_assert_cmpint (beckon_parameters_find (parameters, "any")->access, ==, BECKON_FORM_HIDDEN);
  g_assert_false (beckon_parameters_check (parameters, "{}", &error));
  g_assert_error (error, BECKON_ERROR, BECKON_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (beckon_parameters_check_edit (parameters, "{}", "{}", &error));
  g_assert_error (error, BECKON_REQUEST_ERROR, BECKON_REQUEST_ERROR_INVALID);
}

static BeckonToolParameter *
make_row (const char *name, BeckonFormAccess access, const char *pinned, const char *allowed)
{
  BeckonToolParameter *row = beckon_tool_parameter_new ("write_file", NULL, name);

  row->access = access;
  row->pinned = g_strdup (pinned);
  row->allowed = g_strdup (allowed);
  return row;
}

static void
test_rows (void)
{
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func ((GDestroyNotify) beckon_tool_parameter_unref);
  g_autoptr (BeckonParameters) all = NULL;
  g_autoptr (BeckonParameters) other = NULL;
  g_autoptr (BeckonParameters) wrong = NULL;
  g_autoptr (BeckonParameters) unread = beckon_tool_parameters_collect (NULL, "write_file", NULL);
  g_autofree char *words = NULL;

  g_ptr_array_add (list, make_row ("path", BECKON_FORM_MASKED, "\"/srv\"", NULL));
  g_ptr_array_add (list, make_row ("mode", BECKON_FORM_EDITABLE, NULL, "[\"a\",\"b\"]"));
  all = beckon_tool_parameters_collect (list, "write_file", NULL);
  other = beckon_tool_parameters_collect (list, "write_file", "elsewhere");
  g_assert_cmpuint (beckon_parameters_get_n (all), ==, 2);
  g_assert_cmpuint (beckon_parameters_get_n (other), ==, 0);
  g_assert_true (beckon_parameters_redacts (unread));
  words = beckon_tool_parameter_dup_words (g_ptr_array_index (list, 0));
  g_assert_cmpstr (words, ==, "Always the same value; Masked");

  g_ptr_array_add (list, make_row ("n", BECKON_FORM_EDITABLE, NULL, "1"));
  wrong = beckon_tool_parameters_collect (list, "write_file", NULL);
  g_assert_false (beckon_parameters_check (wrong, "{}", NULL));
  g_assert_false (beckon_tool_parameter_check (g_ptr_array_index (list, 2), NULL));
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parameters/round-trip", test_round_trip);
  g_test_add_func ("/parameters/unreadable", test_unreadable);
  g_test_add_func ("/parameters/pinned", test_pinned);
  g_test_add_func ("/parameters/allowed", test_allowed);
  g_test_add_func ("/parameters/edit", test_edit);
  g_test_add_func ("/parameters/conceal", test_redact);
  g_test_add_func ("/parameters/conceal-types", test_redact_types);
  g_test_add_func ("/parameters/conceals-nothing", test_redacts_nothing);
  g_test_add_func ("/parameters/closed", test_closed);
  g_test_add_func ("/parameters/rows", test_rows);
  return g_test_run ();
}
