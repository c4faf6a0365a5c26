package io.frameloom.rdg.tools.report;

import java.util.Collection;
import java.util.stream.Collectors;

/** Lists of indices in attributes, as the script of the page reads them: each between spaces. */
final class Ids {
    private Ids() {}

    static String list(Collection<Integer> ids) {
        return ids.stream().sorted().map(String::valueOf).collect(Collectors.joining(" ", " ", " "));
    }
}
