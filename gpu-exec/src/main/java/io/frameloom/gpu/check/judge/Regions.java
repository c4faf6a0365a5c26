package io.frameloom.gpu.check.judge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The regions of one resource: boxes without overlaps that cover all of it. They are cut where uses begin and end, and
 * joined again when they are equal.
 *
 * <p>Regions lie in rows and are sorted by where they begin: those of a buffer in one row by bytes, those of a texture
 * by layers, in a row for each group of mips and planes that are used apart. So a use finds its regions without looking
 * at the others, and there are no more rows than mips times planes.
 */
final class Regions {
    private final boolean texture;
    private final List<Row> rows = new ArrayList<>(1);
    /** What may have accesses: whatever was selected since it was last seen to have none. */
    private final Set<Region> active = new LinkedHashSet<>();

    private Box everything;

    /** Regions of the same mips and planes, or bytes, one after the other. */
    private static final class Row {
        /** All of the row. */
        private final Box box;
        /** By where they begin. */
        private final TreeMap<Long, Region> regions = new TreeMap<>();

        Row(Box box) {
            this.box = box;
        }
    }

    Regions(boolean texture, Region all) {
        this.texture = texture;
        this.everything = all.box();
        add(all);
    }

    /** Returns equal regions that later changes do not share. */
    Regions(Regions from) {
        texture = from.texture;
        everything = from.everything;
        for (Row row : from.rows) {
            Row copy = new Row(row.box);
            rows.add(copy);
            for (Region region : row.regions.values()) {
                Region own = region.in(region.box());
                copy.regions.put(begin(region.box()), own);
                if (from.active.contains(region)) {
                    active.add(own);
                }
            }
        }
    }

    void add(Region region) {
        Row row = new Row(region.box());
        row.regions.put(begin(region.box()), region);
        rows.add(row);
        everything = everything.unitedWith(region.box());
    }

    private long begin(Box box) {
        return texture ? box.layer() : box.low();
    }

    private long end(Box box) {
        return texture ? box.layerEnd() : box.high();
    }

    private Box between(Box box, long begin, long end) {
        return texture
                ? new Box(box.low(), box.high(), (int) begin, (int) end, box.plane(), box.planeEnd())
                : new Box(begin, end, box.layer(), box.layerEnd(), box.plane(), box.planeEnd());
    }

    List<Region> all() {
        List<Region> all = new ArrayList<>();
        for (Row row : rows) {
            all.addAll(row.regions.values());
        }
        active.addAll(all);
        return all;
    }

    /** Returns the regions of a box, cut along its borders, of which any may be given accesses. */
    List<Region> select(Box box) {
        Region only = only();
        if (only != null && box.contains(everything)) {
            active.add(only);
            return List.of(only);
        }
        List<Region> selected = new ArrayList<>();
        int count = rows.size();
        for (int i = 0; i < count; i++) {
            Box inside = rows.get(i).box.intersection(box);
            if (inside != null) {
                narrow(i, inside);
                selected.addAll(cut(rows.get(i), begin(inside), end(inside)));
            }
        }
        active.addAll(selected);
        return selected;
    }

    private @Nullable Region only() {
        return rows.size() == 1 && rows.get(0).regions.size() == 1
                ? rows.get(0).regions.firstEntry().getValue()
                : null;
    }

    /** Makes a row one of the mips and planes of a box alone, and adds rows of the others. */
    private void narrow(int index, Box to) {
        Row row = rows.get(index);
        Box kept = between(to, begin(row.box), end(row.box));
        if (kept.equals(row.box)) {
            return;
        }
        rows.set(index, part(row, kept));
        row.box.without(kept, rest -> rows.add(part(row, rest)));
        row.regions.values().forEach(active::remove);
    }

    private Row part(Row row, Box box) {
        Row part = new Row(box);
        for (Region region : row.regions.values()) {
            part.regions.put(begin(region.box()), part(region, between(box, begin(region.box()), end(region.box()))));
        }
        return part;
    }

    /** Returns a part of a region, which goes. */
    private Region part(Region region, Box box) {
        Region part = region.in(box);
        if (active.contains(region)) {
            active.add(part);
        }
        return part;
    }

    private Collection<Region> cut(Row row, long begin, long end) {
        cut(row, begin);
        cut(row, end);
        return row.regions.subMap(begin, end).values();
    }

    private void cut(Row row, long at) {
        Map.Entry<Long, Region> below = row.regions.lowerEntry(at);
        if (below == null || end(below.getValue().box()) <= at) {
            return;
        }
        Region whole = below.getValue();
        row.regions.put(below.getKey(), part(whole, between(whole.box(), below.getKey(), at)));
        row.regions.put(at, part(whole, between(whole.box(), at, end(whole.box()))));
        active.remove(whole);
    }

    /**
     * Replaces the regions of a box, which {@link #select} has returned for it, by as few as can be, with the history
     * of any of them.
     *
     * @return what the box consists of now
     */
    List<Region> unite(Box box, Region history) {
        List<Region> united = new ArrayList<>(1);
        boolean wholeRows = true;
        for (Row row : rows) {
            Box inside = row.box.intersection(box);
            if (inside != null) {
                wholeRows &= inside.equals(row.box);
                Collection<Region> old =
                        row.regions.subMap(begin(inside), end(inside)).values();
                old.forEach(active::remove);
                old.clear();
                Region region = history.in(inside);
                row.regions.put(begin(inside), region);
                united.add(region);
            }
        }
        if (wholeRows && united.size() > 1) {
            rows.removeIf(row -> box.contains(row.box));
            Region region = history.in(box);
            add(region);
            united = List.of(region);
        }
        active.addAll(united);
        return united;
    }

    /** Returns whether a condition holds of each two regions of both that have something in common. */
    boolean allAlike(Regions other, BiPredicate<Region, Region> alike) {
        for (Row row : rows) {
            for (Region mine : row.regions.values()) {
                if (!other.allIn(mine.box(), theirs -> alike.test(mine, theirs))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean allIn(Box box, Predicate<Region> condition) {
        for (Row row : rows) {
            Box inside = row.box.intersection(box);
            if (inside == null) {
                continue;
            }
            Long from = row.regions.floorKey(begin(inside));
            for (Region region : row.regions.subMap(from, end(inside)).values()) {
                if (!condition.test(region)) {
                    return false;
                }
            }
        }
        return true;
    }

    boolean allMatch(Predicate<Region> condition) {
        return allIn(everything, condition);
    }

    boolean allActive(Predicate<Region> condition) {
        return active.stream().allMatch(condition);
    }

    Collection<Region> active() {
        return active;
    }

    /** Lets whatever may have accesses forget some, and joins what has become equal. */
    void retire(Consumer<Region> forget) {
        List<Region> settled = new ArrayList<>();
        for (Iterator<Region> all = active.iterator(); all.hasNext(); ) {
            Region region = all.next();
            forget.accept(region);
            if (region.settled()) {
                all.remove();
                settled.add(region);
            }
        }
        settled.forEach(this::join);
        if (rows.size() > 1 && active.isEmpty() && isOneState()) {
            Region region = rows.get(0).regions.firstEntry().getValue().in(everything);
            rows.clear();
            add(region);
        }
    }

    /** Joins a region without accesses, unless another has swallowed it, with what is before it in its row. */
    private void join(Region region) {
        for (Row row : rows) {
            long begin = begin(region.box());
            if (row.regions.get(begin) == region) {
                joinWithNext(row, row.regions.lowerEntry(begin));
                joinWithNext(row, row.regions.floorEntry(begin));
                return;
            }
        }
    }

    private void joinWithNext(Row row, Map.@Nullable Entry<Long, Region> first) {
        Map.Entry<Long, Region> second = first == null ? null : row.regions.higherEntry(first.getKey());
        if (first == null || second == null) {
            return;
        }
        Region before = first.getValue();
        Region after = second.getValue();
        if (!active.contains(before) && !active.contains(after) && before.sameQuietState(after)) {
            row.regions.remove(second.getKey());
            row.regions.put(first.getKey(), before.in(between(before.box(), first.getKey(), end(after.box()))));
        }
    }

    private boolean isOneState() {
        Region first = rows.get(0).regions.firstEntry().getValue();
        for (Row row : rows) {
            if (row.regions.size() > 1 || !row.regions.firstEntry().getValue().sameQuietState(first)) {
                return false;
            }
        }
        return true;
    }
}
