package io.frameloom.samples.clip;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.xml.stream.Location;

/** What of a picture is not looked at, as lines that begin with where it stands. One thread. */
final class ClipNotes {
    private static final int MOST = 20;

    private final Set<String> lines = new LinkedHashSet<>();
    private int more;

    /** @param what what is not looked at there; the same of one place is reported once */
    void add(Location where, String what) {
        String line = where.getLineNumber() + ": " + what;
        if (lines.size() < MOST) {
            lines.add(line);
        } else if (!lines.contains(line)) {
            more++;
        }
    }

    /** Returns the first ones, and how many there are beyond. */
    List<String> lines() {
        List<String> all = new ArrayList<>(lines);
        if (more > 0) {
            all.add(" and " + more + " more of this kind");
        }
        return all;
    }
}
