package io.frameloom.rdg.tools.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the versions that a pass names: by resource the one that it makes or reads, or both. Each is a number, text
 * with numbers ({@code "v1"}, {@code "in1->out2"}), a list of both or an object ({@code in} and {@code out}). Or {@code
 * reads} and {@code writes} come first. One thread.
 */
final class VersionReader {
    private static final int MAX_VERSION = 1 << 20;
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,7}");

    private final JsonCursor json;

    VersionReader(JsonCursor json) {
        this.json = json;
    }

    private static final class Draft {
        int line;

        @Nullable
        Integer before;

        @Nullable
        Integer behind;
    }

    /** Reads the versions at the cursor. */
    Map<FileGraph.Name, FileGraph.Version> read() {
        Map<String, Draft> drafts = new LinkedHashMap<>();
        if (json.isArray()) {
            // No versions as an empty list.
            json.array(0, json::skip);
        } else {
            json.namedObject(name -> {
                boolean reads = name.equals("reads");
                if ((reads || name.equals("writes")) && json.isObject()) {
                    json.namedObject(resource -> {
                        Draft draft = draft(drafts, resource);
                        if (reads) {
                            draft.before = version();
                        } else {
                            draft.behind = version();
                        }
                    });
                } else {
                    versions(draft(drafts, name));
                }
            });
        }
        Map<FileGraph.Name, FileGraph.Version> result = new LinkedHashMap<>();
        drafts.forEach((resource, draft) -> {
            if (draft.before != null || draft.behind != null) {
                result.put(new FileGraph.Name(resource, draft.line), new FileGraph.Version(draft.before, draft.behind));
            }
        });
        return result;
    }

    private Draft draft(Map<String, Draft> drafts, String resource) {
        Draft draft = drafts.computeIfAbsent(resource, name -> new Draft());
        draft.line = json.line();
        return draft;
    }

    private void versions(Draft draft) {
        if (json.isNull()) {
            return;
        }
        if (json.isNumber()) {
            draft.behind = version();
        } else if (json.isString()) {
            named(draft, json.string());
        } else if (json.isArray()) {
            List<@Nullable Integer> both = new ArrayList<>(2);
            json.array(2, () -> both.add(version()));
            if (both.size() != 2) {
                throw json.fail("a list of versions is [the one that the pass finds, the one that it makes]");
            }
            draft.before = both.get(0);
            draft.behind = both.get(1);
        } else {
            json.namedObject(end -> {
                switch (end) {
                    case "in", "read" -> draft.before = version();
                    case "out", "write" -> draft.behind = version();
                    default ->
                        throw json.fail("unknown end '" + end + "' of a version, known are in, out, read, write");
                }
            });
        }
    }

    private void named(Draft draft, String text) {
        List<Integer> numbers = new ArrayList<>(2);
        Matcher matcher = NUMBER.matcher(text);
        while (matcher.find() && numbers.size() < 3) {
            numbers.add(Integer.parseInt(matcher.group()));
        }
        if (numbers.isEmpty() || numbers.size() > 2) {
            throw json.fail(
                    "a version as text has one number, or that of the one that the pass finds and that of the one"
                            + " that it makes");
        }
        if (numbers.size() == 2) {
            draft.before = numbers.get(0);
        }
        draft.behind = numbers.get(numbers.size() - 1);
    }

    private @Nullable Integer version() {
        return json.isNull() ? null : (Integer) (int) json.integer(0, MAX_VERSION);
    }
}
