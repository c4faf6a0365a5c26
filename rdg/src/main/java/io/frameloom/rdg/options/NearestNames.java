package io.frameloom.rdg.options;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds what a user may have meant (edit distance, V. Levenshtein). */
public final class NearestNames {
    private static final int OFFERED = 3;
    private static final int SHORTEST_PART = 3;

    /** The beginning of a name says enough of it; the time is that of all pairs of letters. */
    private static final int COMPARED = 64;

    private record Ranked(String name, int distance) {}

    private NearestNames() {}

    /** Returns the nearest three of {@code names}, quoted and separated by commas. */
    public static String of(String meant, List<String> names) {
        String wanted = meant.toLowerCase(Locale.ROOT);
        return names.stream()
                .distinct()
                .map(name -> new Ranked(name, distance(wanted, name.toLowerCase(Locale.ROOT))))
                .sorted(Comparator.comparingInt(Ranked::distance))
                .limit(OFFERED)
                .map(ranked -> "'" + ranked.name + "'")
                .collect(Collectors.joining(", "));
    }

    /** A name that contains the other is as near as one wrong letter, unless it is so short that most names do. */
    private static int distance(String a, String b) {
        if (Math.min(a.length(), b.length()) >= SHORTEST_PART && (a.contains(b) || b.contains(a))) {
            return a.equals(b) ? 0 : 1;
        }
        return edits(beginning(a), beginning(b));
    }

    private static String beginning(String name) {
        return name.length() <= COMPARED ? name : name.substring(0, COMPARED);
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
