package io.frameloom.gpu.cache.program;

import io.frameloom.gpu.cache.disk.Digest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which programs are known to compile. An evicted shader stays known as long as a pipeline that is kept was made of it:
 * each such pipeline counts as one reference. Failures are not kept. Any thread.
 */
final class StatusStore {
    private final Map<Digest, Node> nodes = new HashMap<>();

    private static final class Node {
        boolean kept;
        int references;
        List<Digest> parts = List.of();
    }

    /** Notes that a program compiled and is kept somewhere. */
    synchronized void kept(Digest program, List<Digest> parts) {
        Node node = nodes.computeIfAbsent(program, ignored -> new Node());
        List<Digest> before = node.parts;
        node.kept = true;
        node.parts = List.copyOf(parts);
        node.parts.forEach(part -> nodes.computeIfAbsent(part, ignored -> new Node()).references++);
        before.forEach(this::release);
    }

    /** Notes that a program is kept nowhere any more. */
    synchronized void evicted(Digest program) {
        Node node = nodes.get(program);
        if (node == null) {
            return;
        }
        List<Digest> parts = node.parts;
        node.kept = false;
        node.parts = List.of();
        removeIfUnknown(program, node);
        parts.forEach(this::release);
    }

    private void release(Digest part) {
        Node node = nodes.get(part);
        if (node != null) {
            node.references--;
            removeIfUnknown(part, node);
        }
    }

    private void removeIfUnknown(Digest program, Node node) {
        if (!node.kept && node.references == 0) {
            nodes.remove(program);
        }
    }

    synchronized boolean isKnown(Digest program) {
        return nodes.containsKey(program);
    }

    /** Returns the number of kept programs that were made of this one. */
    synchronized int references(Digest program) {
        @Nullable Node node = nodes.get(program);
        return node == null ? 0 : node.references;
    }

    synchronized int size() {
        return nodes.size();
    }
}
