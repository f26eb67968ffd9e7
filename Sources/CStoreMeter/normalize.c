/* Removes the literals from a statement's text, so that runs that differ only in values count as one statement, and no value
   leaves the program.

   A token in double quotes may be a name or, as an old quirk of SQLite, a text. It is kept only where it must be a name. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "meter.h"

/* The last token written, as far as it decides what the next one may be. */
enum previous { AT_START, AFTER_NAME, AFTER_NAMING, AFTER_DOT, AFTER_VALUE, AFTER_OPERATOR, AFTER_OPEN, AFTER_CLOSE, AFTER_COMMA };

struct writer {
  char *buffer;
  size_t room, stored, length;
  uint64_t hash;
  enum previous previous;
  /* Within the columns of INSERT INTO name (…). */
  bool after_into, in_columns;
  int depth;
  /* How many literals there are in a row, separated by commas. */
  int literals;
  /* Whether the brackets closed last had only literals, like a row of VALUES. */
  bool is_plain, opened_plain;
};

static void put(struct writer *writer, const char *text, size_t length) {
  for (size_t index = 0; index < length; index++) {
    writer->hash = (writer->hash ^ (uint8_t)text[index]) * 0x100000001b3u;
    if (writer->stored + 1 < writer->room) writer->buffer[writer->stored++] = text[index];
  }
  writer->length += length;
}

static void space(struct writer *writer) {
  if (writer->length != 0 && writer->stored != 0 && writer->buffer[writer->stored - 1] != ' ') put(writer, " ", 1);
}

static bool is_name_byte(char byte) { return isalnum((unsigned char)byte) || byte == '_' || byte == '$' || (byte & 0x80) != 0; }

/* The end of a quoted token, in which the quote itself is doubled. */
static const char *end_of_quoted(const char *text, char quote) {
  for (text++; *text != 0; text++) {
    if (*text != quote) continue;
    if (text[1] != quote) return text + 1;
    text++;
  }
  return text;
}

static const char *skip_blank(const char *text) {
  for (;;) {
    if (isspace((unsigned char)*text)) {
      text++;
    } else if (text[0] == '-' && text[1] == '-') {
      text += strcspn(text, "\n");
    } else if (text[0] == '/' && text[1] == '*') {
      const char *end = strstr(text + 2, "*/");
      text = end == NULL ? text + strlen(text) : end + 2;
    } else {
      return text;
    }
  }
}

static bool is_word(const char *text, size_t length, const char *words) {
  for (; *words != 0; words += strcspn(words, " "), words += *words == ' ') {
    size_t size = strcspn(words, " ");
    if (size != length) continue;
    size_t index = 0;
    while (index < size && toupper((unsigned char)text[index]) == words[index]) index++;
    if (index == size) return true;
  }
  return false;
}

static const char *const naming = "FROM JOIN INTO UPDATE TABLE INDEX VIEW TRIGGER EXISTS AS REFERENCES COLUMN TO ON SAVEPOINT RELEASE";
static const char *const comparing = "= < > ! | + - * / % & ~";

/* Whether a double-quoted token must be a name. */
static bool is_name(const struct writer *writer, const char *after) {
  if (writer->previous == AFTER_DOT || writer->previous == AFTER_NAMING || writer->in_columns) return true;
  after = skip_blank(after);
  return *after == '.';
}

/* The end of a number. */
static const char *end_of_number(const char *text) {
  const char *end = text + 1;
  while (is_name_byte(*end) || *end == '.' || ((*end == '+' || *end == '-') && (end[-1] == 'e' || end[-1] == 'E'))) end++;
  return end;
}

/* Whether a literal or a nameless parameter begins here. */
static bool is_plain_literal(const char *text) {
  bool is_blob = (*text == 'x' || *text == 'X') && text[1] == '\'';
  return *text == '\'' || *text == '?' || is_blob || isdigit((unsigned char)*text) || (*text == '.' && isdigit((unsigned char)text[1]));
}

/* The end of more rows of literals, each after a comma; null if there are none. */
static const char *end_of_rows(const char *text) {
  const char *end = NULL;
  while (*(text = skip_blank(text)) == ',') {
    text = skip_blank(text + 1);
    if (*text != '(') break;
    for (text = skip_blank(text + 1); *text != 0 && *text != ')'; text = skip_blank(text)) {
      bool is_blob = (*text == 'x' || *text == 'X') && text[1] == '\'';
      if (*text == '\'' || is_blob) {
        text = end_of_quoted(text + is_blob, '\'');
      } else if (*text == ',' || *text == '?' || *text == '-') {
        text++;
      } else if (is_plain_literal(text)) {
        text = end_of_number(text);
      } else {
        return end;
      }
    }
    if (*text != ')') break;
    end = ++text;
  }
  return end;
}

static void literal(struct writer *writer) {
  /* A list of literals counts as one, however long it is. */
  if (writer->literals == 0) {
    put(writer, "?", 1);
  } else if (writer->literals == 1) {
    put(writer, "…", strlen("…"));
  }
  writer->literals++;
  writer->previous = AFTER_VALUE;
}

struct meter_text meter_normalize(const char *sql, char *buffer, size_t room) {
  struct writer writer = {.buffer = buffer, .room = room, .hash = 0xcbf29ce484222325u};
  if (meter_keeps_values()) {
    put(&writer, sql, strlen(sql));
    buffer[writer.stored] = 0;
    return (struct meter_text){.hash = writer.hash, .length = writer.length, .stored = writer.stored};
  }
  const char *text = skip_blank(sql);
  bool is_spaced = false;
  while (*text != 0) {
    const char *next = skip_blank(text);
    if (next != text) is_spaced = true;
    text = next;
    if (*text == 0) break;
    char byte = *text;
    bool is_blob = (byte == 'x' || byte == 'X') && text[1] == '\'';
    bool is_text = byte == '\'' || is_blob;
    bool is_number = isdigit((unsigned char)byte) || (byte == '.' && isdigit((unsigned char)text[1]));
    const char *end = text + 1;
    if (is_text) {
      end = end_of_quoted(text + is_blob, '\'');
    } else if (byte == '"' || byte == '`') {
      end = end_of_quoted(text, byte);
      if (byte == '"' && !is_name(&writer, end)) is_text = true;
    } else if (byte == '[') {
      end = text + strcspn(text, "]");
      if (*end != 0) end++;
    } else if (is_number) {
      end = end_of_number(text);
    } else if (is_name_byte(byte)) {
      while (is_name_byte(*end)) end++;
    } else if (byte == '?' || byte == ':' || byte == '@' || byte == '#') {
      while (is_name_byte(*end) || *end == ':') end++;
    }
    bool is_literal = is_text || is_number;
    bool is_comma = byte == ',', is_parameter = byte == '?' && end == text + 1;
    if (is_literal || is_parameter) {
      if (is_spaced && writer.literals == 0) space(&writer);
      literal(&writer);
    } else if (is_comma && writer.previous == AFTER_CLOSE && writer.is_plain && end_of_rows(text) != NULL) {
      put(&writer, ", …", strlen(", …"));
      text = end_of_rows(text);
      is_spaced = false;
      continue;
    } else if (is_comma && writer.literals >= 1) {
      /* A comma between literals is written only once: before the second one. */
      const char *follows = skip_blank(end);
      bool goes_on = is_plain_literal(follows);
      if (!goes_on) writer.literals = 0;
      if (!goes_on || writer.literals == 1) put(&writer, ", ", 2);
      is_spaced = false;
      text = end;
      writer.previous = AFTER_COMMA;
      continue;
    } else {
      if (byte == ')') writer.is_plain = writer.literals != 0 && writer.opened_plain;
      writer.opened_plain = byte == '(';
      writer.literals = 0;
      if (is_spaced && byte != ',' && byte != ')' && byte != ';') space(&writer);
      put(&writer, text, (size_t)(end - text));
      if (is_name_byte(byte) || byte == '"' || byte == '`' || byte == '[') {
        size_t length = (size_t)(end - text);
        bool is_naming = is_name_byte(byte) && is_word(text, length, naming);
        /* The columns of a table follow its name. */
        if (is_name_byte(byte) && is_word(text, length, "INTO")) writer.after_into = true;
        if (is_name_byte(byte) && is_word(text, length, "VALUES SELECT SET")) writer.after_into = writer.in_columns = false;
        writer.previous = is_naming ? AFTER_NAMING : AFTER_NAME;
      } else if (byte == '(') {
        if (writer.after_into) writer.in_columns = true;
        writer.previous = AFTER_OPEN;
      } else if (byte == ')') {
        writer.after_into = writer.in_columns = false;
        writer.previous = AFTER_CLOSE;
      } else {
        writer.previous = byte == '.' ? AFTER_DOT : byte == ',' ? AFTER_COMMA : strchr(comparing, byte) != NULL ? AFTER_OPERATOR : AFTER_VALUE;
      }
    }
    is_spaced = is_comma;
    text = end;
  }
  /* Semicolons and spaces at the end are not part of the statement. */
  while (writer.stored != 0 && (buffer[writer.stored - 1] == ';' || buffer[writer.stored - 1] == ' ')) writer.stored--;
  buffer[writer.stored] = 0;
  if (writer.stored + 1 < room) {
    writer.hash = meter_hash(buffer, writer.stored);
    writer.length = writer.stored;
  }
  return (struct meter_text){.hash = writer.hash == 0 ? 1 : writer.hash, .length = writer.length, .stored = writer.stored};
}

bool meter_keeps_values(void) {
  static _Atomic int answer;
  int known = atomic_load_explicit(&answer, memory_order_relaxed);
  if (known == 0) {
    const char *variable = getenv(STORE_METER_VALUES_VARIABLE);
    known = variable != NULL && strcmp(variable, "1") == 0 ? 2 : 1;
    atomic_store_explicit(&answer, known, memory_order_relaxed);
  }
  return known == 2;
}

/* Settings whose values are of a few known kinds and reveal nothing about the data. */
static const char *const settings =
    "JOURNAL_MODE SYNCHRONOUS CACHE_SIZE PAGE_SIZE BUSY_TIMEOUT FOREIGN_KEYS WAL_AUTOCHECKPOINT LOCKING_MODE MMAP_SIZE "
    "AUTO_VACUUM TEMP_STORE JOURNAL_SIZE_LIMIT CACHE_SPILL SECURE_DELETE READ_UNCOMMITTED QUERY_ONLY AUTOMATIC_INDEX";

bool meter_pragma(const char *sql, char *buffer, size_t room) {
  const char *text = skip_blank(sql);
  if (!is_word(text, strcspn(text, " \t\r\n"), "PRAGMA")) return false;
  text = skip_blank(text + strlen("PRAGMA"));
  size_t length = 0;
  while (is_name_byte(text[length])) length++;
  /* The name of a database may come first. Settings of databases other than main are ignored. */
  if (text[length] == '.') {
    if (!is_word(text, length, "MAIN")) return false;
    text += length + 1;
    for (length = 0; is_name_byte(text[length]);) length++;
  }
  if (!is_word(text, length, settings)) return false;
  const char *value = skip_blank(text + length);
  if (*value != '=' && *value != '(') return false;
  value = skip_blank(value + 1);
  if (*value == '\'' || *value == '"') value++;
  size_t size = *value == '-' || *value == '+';
  while (is_name_byte(value[size])) size++;
  if (size == 0 || size > 24 || length + size + 2 > room) return false;
  for (size_t index = 0; index < length; index++) buffer[index] = (char)tolower((unsigned char)text[index]);
  buffer[length] = '=';
  for (size_t index = 0; index < size; index++) buffer[length + 1 + index] = (char)tolower((unsigned char)value[index]);
  buffer[length + 1 + size] = 0;
  return true;
}
