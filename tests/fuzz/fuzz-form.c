/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/beckon-json.h"
#include "form/beckon-form.h"
#include "fuzz.h"

static const char schema[]
  = "{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\",\"maxLength\":9},\"b\":{\"type\":\"integer\",\"minimum\":0},"
    "\"c\":{\"enum\":[\"x\",\"y\",3]},\"d\":{\"type\":\"boolean\",\"default\":true},\"e\":{\"type\":\"array\",\"items\":{\"type\":"
    "\"object\",\"properties\":{\"f\":{\"oneOf\":[{\"type\":\"string\"},{\"type\":\"null\"}]}}}},\"g\":{}},\"required\":[\"a\"]}";

typedef struct
{
  BeckonForm *form;
  const guint8 *data;
  gsize size;
} Edits;

static guint8
take (Edits *edits)
{
  guint8 byte = edits->size > 0 ? *edits->data : 0;

  if (edits->size > 0)
    {
      edits->data++;
      edits->size--;
    }
  return byte;
}

/* Chooses a field by the bytes. */
static BeckonFormField *
choose (Edits *edits)
{
  BeckonFormField *field = beckon_form_get_root (edits->form);

  for (guint depth = 0; depth < 6 && field->children != NULL && field->children->len > 0; depth++)
    {
      guint8 byte = take (edits);

      if (byte % 5 == 0)
        break;
      field = g_ptr_array_index (field->children, byte % field->children->len);
    }
  return field;
}

static void
edit (Edits *edits)
{
  static const char *const values[] = { "x", "", "12", "-1", "1e9", "\"\\", "y\n", "true", "[1,2]", "{\"f\":null}" };
  guint8 what = take (edits);
  const char *value = values[take (edits) % G_N_ELEMENTS (values)];
  BeckonFormField *field = choose (edits);

  switch (what % 11)
    {
    case 0:
      beckon_form_type (edits->form, field, value);
      break;
    case 1:
      beckon_form_choose (edits->form, field, what % 4);
      break;
    case 2:
      beckon_form_switch (edits->form, field, what % 2);
      break;
    case 3:
      beckon_form_step (edits->form, field, what % 7 - 3);
      break;
    case 4:
      beckon_form_put (edits->form, field, value);
      break;
    case 5:
      beckon_form_fill (edits->form, field);
      break;
    case 6:
      beckon_form_add_member (edits->form, field, value);
      break;
    case 7:
      beckon_form_add_element (edits->form, field);
      break;
    case 8:
      beckon_form_remove (edits->form, field);
      break;
    case 9:
      beckon_form_move (edits->form, field, what % 5 - 2);
      break;
    default:
      beckon_form_reset (edits->form, field);
      break;
    }
}

/* Undoing all edits gives back the very bytes, whatever they were; as long as the text was JSON it stays so. */
int
LLVMFuzzerTestOneInput (const guint8 *data, gsize size)
{
  gsize n_text = size > 1 ? MIN ((gsize) data[0] * 4, size - 1) : 0;
  g_autofree char *text = g_utf8_make_valid ((const char *) data + (size > 0), (gssize) n_text);
  const char *const texts[] = { text, "{\"a\":\"x\",\"b\":1,\"e\":[{\"f\":\"y\"}]}" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (BeckonForm) form = beckon_form_new (schema, texts[i], NULL);
      Edits edits = { form, data + (size > 0 ? 1 + n_text : 0), size > 0 ? size - 1 - n_text : 0 };
      gboolean was_json = beckon_form_is_json (form);

      for (guint n = 0; n < 40 && edits.size > 0; n++)
        {
          edit (&edits);
          g_assert_true (!was_json || beckon_form_is_json (form));
        }
      beckon_form_set_text (form, text);
      while (beckon_form_can_undo (form))
        beckon_form_undo (form);
      g_assert_cmpstr (beckon_form_get_text (form), ==, texts[i]);
    }
  return 0;
}
