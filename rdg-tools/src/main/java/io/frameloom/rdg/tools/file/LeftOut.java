package io.frameloom.rdg.tools.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says of keys that are not among the facts why they are not. */
public final class LeftOut {
    private static final String KEY = "leftOut";

    private LeftOut() {}

    /** Notes one key with the reason. */
    public static void add(Map<String, Object> facts, String key, String why) {
        List<Object> rows = new ArrayList<>(1);
        @Nullable Object before = facts.get(KEY);
        if (before instanceof List<?> former) {
            rows.addAll(former);
        }
        Map<String, String> row = new LinkedHashMap<>();
        row.put("key", key);
        row.put("message", why);
        rows.add(row);
        facts.put(KEY, rows);
    }
}
