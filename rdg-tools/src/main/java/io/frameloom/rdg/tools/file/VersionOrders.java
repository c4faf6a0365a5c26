package io.frameloom.rdg.tools.file;

import io.frameloom.gpu.command.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The orders that the versions of resources give where the passes are a set. A pass that writes names the version that
 * it makes, 0 if it names none. A pass that reads names the version that it reads. Writers come in the order of their
 * versions, each after the readers of versions before its own; a reader that names none comes last. Makes orders
 * between passes of it, as an application does with {@code PassBuilder.after}.
 */
final class VersionOrders {
    private final FileGraph source;
    private final FileNames names;

    VersionOrders(FileGraph source, FileNames names) {
        this.source = source;
        this.names = names;
    }

    private static final class Versions {
        final TreeMap<Integer, List<Integer>> writers = new TreeMap<>();
        final TreeMap<Integer, List<Integer>> readers = new TreeMap<>();
        boolean named;
    }

    /** Adds, by pass, the passes that it comes after. */
    void add(List<List<Integer>> after) {
        Map<Integer, Versions> all = new TreeMap<>();
        for (int p = 0; p < after.size(); p++) {
            collect(p, source.passes.get(p), all);
        }
        for (Versions versions : all.values()) {
            if (versions.named) {
                order(versions, after);
            }
        }
    }

    private void collect(int index, FileGraph.Pass pass, Map<Integer, Versions> all) {
        Map<Integer, FileGraph.Version> named = new TreeMap<>();
        pass.versions.forEach((name, version) -> {
            if (source.mode.order != FileGraph.Order.UNORDERED) {
                throw names.fail(
                        name.line(),
                        "pass '" + pass.id + "' names a version of '" + name.text()
                                + "', which has a meaning in the mode order unordered only");
            }
            named.put(names.resource(name.text(), name.line()), version);
        });
        Map<Integer, Boolean> writes = new TreeMap<>();
        for (FileGraph.Use use : pass.uses) {
            Access access = AccessNames.access(use.access, pass.kind == FileGraph.Kind.COMPUTE);
            writes.merge(names.resource(use.resource, use.line), access.writes(), Boolean::logicalOr);
        }
        named.keySet().forEach(resource -> {
            if (!writes.containsKey(resource)) {
                throw names.fail(
                        pass.line,
                        "pass '" + pass.id + "' names a version of '" + source.resources.get(resource).id
                                + "', which it does not use");
            }
        });
        writes.forEach((resource, write) -> {
            Versions versions = all.computeIfAbsent(resource, r -> new Versions());
            FileGraph.Version said = named.get(resource);
            Integer version = said == null ? null : said.of(write);
            versions.named |= said != null;
            if (write) {
                versions.writers
                        .computeIfAbsent(version == null ? 0 : version, v -> new ArrayList<>(1))
                        .add(index);
            } else if (version != null) {
                versions.readers
                        .computeIfAbsent(version, v -> new ArrayList<>(1))
                        .add(index);
            }
        });
    }

    /** Orders neighbours only; what is further apart follows. Writers of one version stay without an order. */
    private static void order(Versions versions, List<List<Integer>> after) {
        int former = -1;
        for (Map.Entry<Integer, List<Integer>> entry : versions.writers.entrySet()) {
            int version = entry.getKey();
            for (int writer : entry.getValue()) {
                if (former >= 0) {
                    after.get(writer).addAll(versions.writers.get(former));
                }
                versions.readers.subMap(Math.max(0, former), version).values().forEach(after.get(writer)::addAll);
            }
            former = version;
        }
    }
}
