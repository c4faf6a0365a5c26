package io.frameloom.gpu.cache.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is on a {@link SimulatedDisk}, now and after the power fails. Whoever calls holds the disk's lock. */
final class DiskNames {
    /** A file or a folder, whatever its names. */
    static final class Inode {
        final FileFacts.Kind kind;
        byte[] bytes = {};
        boolean forced;
        long modified;

        @Nullable
        SimulatedProcess holder;

        Inode(FileFacts.Kind kind) {
            this.kind = kind;
        }
    }

    /** A change of names that is not durable yet: {@code inode} loses the name {@code from} and gets {@code to}. */
    private record Renaming(@Nullable Path from, @Nullable Path to, Inode inode) {
        boolean concerns(Path folder) {
            return (from != null && folder.equals(from.getParent())) || (to != null && folder.equals(to.getParent()));
        }

        void apply(Map<Path, Inode> names) {
            if (from != null) {
                names.remove(from);
            }
            if (to != null) {
                names.put(to, inode);
            }
        }
    }

    private final Map<Path, Inode> names = new TreeMap<>();
    private final Map<Path, Inode> durableNames = new TreeMap<>();
    private final List<Renaming> pending = new ArrayList<>();

    /** Puts something there that is durable. */
    void plant(Path path, Inode inode) {
        names.put(path, inode);
        durableNames.put(path, inode);
    }

    @Nullable
    Inode find(Path path) {
        return names.get(path);
    }

    Inode existing(Path path) throws IOException {
        Inode inode = names.get(path);
        if (inode == null) {
            throw new NoSuchFileException(path.toString());
        }
        return inode;
    }

    void requireParent(Path path) throws IOException {
        Path parent = path.getParent();
        if (parent != null && existing(parent).kind != FileFacts.Kind.FOLDER) {
            throw new IOException(parent + ": not a folder");
        }
    }

    /** The paths of what is in a folder, in order. */
    List<Path> entries(Path folder) {
        return names.keySet().stream()
                .filter(path -> folder.equals(path.getParent()))
                .toList();
    }

    Stream<Map.Entry<Path, Inode>> all() {
        return names.entrySet().stream();
    }

    void rename(@Nullable Path from, @Nullable Path to, Inode inode) {
        Renaming renaming = new Renaming(from, to, inode);
        renaming.apply(names);
        pending.add(renaming);
    }

    /** Makes the names in a folder durable. */
    void force(Path folder) {
        pending.removeIf(renaming -> {
            boolean concerned = renaming.concerns(folder);
            if (concerned) {
                renaming.apply(durableNames);
            }
            return concerned;
        });
    }

    /** Ends all holds. */
    void release() {
        for (Inode inode : names.values()) {
            inode.holder = null;
        }
    }

    /** Loses what is not durable, but for what the given one decides to survive. */
    void losePower(Random random) {
        int policy = random.nextInt(4);
        for (Renaming renaming : pending) {
            boolean survives = policy == 0 || (policy >= 2 && random.nextBoolean());
            if (survives) {
                renaming.apply(durableNames);
            }
        }
        pending.clear();
        names.clear();
        Map<Inode, Inode> survivors = new HashMap<>();
        durableNames.forEach((path, inode) -> {
            Path parent = path.getParent();
            if (parent == null || names.containsKey(parent) || durableRoot(path)) {
                names.put(path, survivors.computeIfAbsent(inode, lost -> survivor(lost, random)));
            }
        });
        durableNames.clear();
        durableNames.putAll(names);
    }

    private boolean durableRoot(Path path) {
        return durableNames.keySet().stream().noneMatch(other -> path.startsWith(other) && !path.equals(other));
    }

    private Inode survivor(Inode inode, Random random) {
        Inode after = new Inode(inode.kind);
        after.modified = inode.modified;
        after.forced = true;
        int length = inode.bytes.length;
        if (inode.forced || inode.kind != FileFacts.Kind.FILE) {
            after.bytes = inode.bytes;
            return after;
        }
        switch (random.nextInt(5)) {
            case 0 -> after.bytes = new byte[0];
            case 1 -> after.bytes = new byte[length];
            case 2 -> after.bytes = Arrays.copyOf(inode.bytes, random.nextInt(length + 1));
            case 3 -> after.bytes = Arrays.copyOf(Arrays.copyOf(inode.bytes, random.nextInt(length + 1)), length);
            default -> {
                after.bytes = new byte[length];
                random.nextBytes(after.bytes);
            }
        }
        return after;
    }
}
