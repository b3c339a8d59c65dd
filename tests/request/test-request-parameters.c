/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "request/beckon-parameters.h"

#include "base/beckon-error.h"
#include "request/beckon-request-error.h"

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
  g_assert_cmpint (beckon_parameters_find (unknown, "a")->access, ==, BECKON_FORM_READ_ONLY);
}

/* What is pinned is what runs, whatever the model wrote, and nothing else of it changes. */
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

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/parameters/round-trip", test_round_trip);
  g_test_add_func ("/parameters/unreadable", test_unreadable);
  g_test_add_func ("/parameters/pinned", test_pinned);
  g_test_add_func ("/parameters/allowed", test_allowed);
  g_test_add_func ("/parameters/edit", test_edit);
  return g_test_run ();
}
