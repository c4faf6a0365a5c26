package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.declare.DeclaredGraph;
import io.frameloom.rdg.declare.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a graph declares, as the compiler reads it. */
final class DeclaredWords {
    private DeclaredWords() {}

    /** A use without its name and site. */
    record Use(
            int resource,
            @Nullable SubresourceRange range,
            long offset,
            long bytes,
            Access access,
            Mode mode,
            boolean attachment,
            int overlap) {}

    /** Returns the uses of a pass. */
    static List<Use> uses(DeclaredGraph graph, int pass) {
        return IntStream.range(graph.firstUse(pass), graph.firstUse(pass + 1))
                .mapToObj(use -> new Use(
                        graph.resource(use),
                        graph.range(use),
                        graph.offset(use),
                        graph.bytes(use),
                        graph.access(use),
                        graph.mode(use),
                        graph.isAttachment(use),
                        graph.overlap(use)))
                .toList();
    }

    /** Returns all that decides about a plan, line by line. */
    static List<String> decisive(DeclaredGraph graph) {
        List<String> words = new ArrayList<>();
        for (int p = 0; p < graph.passes(); p++) {
            words.add("pass " + graph.kind(p) + graph.flags(p) + graph.scope(p) + graph.queue(p) + graph.area(p)
                    + graph.hasBody(p) + graph.isConditional(p) + uses(graph, p) + graph.attachments(p)
                    + IntStream.range(graph.firstAfter(p), graph.firstAfter(p + 1))
                            .mapToObj(graph::after)
                            .toList());
        }
        for (int r = 0; r < graph.resources(); r++) {
            words.add("resource " + graph.texture(r) + graph.buffer(r) + graph.lifetime(r) + graph.initialLayout(r)
                    + graph.finalAccess(r) + graph.memory(r) + graph.sharesMemory(r) + graph.sharing(r)
                    + graph.isDiscardedAfter(r));
        }
        for (int s = 0; s < graph.scopes(); s++) {
            words.add("scope in " + graph.scopeParent(s));
        }
        return words;
    }

    /** Returns the names of passes, resources and scopes. */
    static List<String> names(DeclaredGraph graph) {
        List<String> names = new ArrayList<>();
        IntStream.range(0, graph.passes())
                .forEach(p -> names.add("pass " + graph.names().pass(p)));
        IntStream.range(0, graph.resources())
                .forEach(r -> names.add("resource " + graph.names().resource(r)));
        IntStream.range(0, graph.scopes())
                .forEach(s -> names.add("scope " + graph.names().scope(s)));
        return names;
    }

    /** Returns where what was declared. */
    static List<String> sites(DeclaredGraph graph) {
        List<String> sites = new ArrayList<>();
        IntStream.range(0, graph.passes()).forEach(p -> sites.add("pass " + graph.site(p)));
        IntStream.range(0, graph.uses()).forEach(u -> sites.add("use " + graph.useSite(u)));
        IntStream.range(0, graph.resources()).forEach(r -> sites.add("resource " + graph.resourceSite(r)));
        return sites;
    }

    /** Returns everything. */
    static List<String> of(DeclaredGraph graph) {
        List<String> words = decisive(graph);
        words.addAll(names(graph));
        words.addAll(sites(graph));
        return words;
    }
}
