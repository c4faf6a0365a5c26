package io.frameloom.stress.gpu.frames;

import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.stress.gpu.frames.GraphShape.Box;
import io.frameloom.stress.gpu.frames.GraphShape.Chunks;
import io.frameloom.stress.gpu.frames.GraphShape.Life;
import io.frameloom.stress.gpu.frames.GraphShape.Place;
import io.frameloom.stress.gpu.frames.GraphShape.Resource;
import io.frameloom.stress.gpu.frames.GraphShape.Step;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import io.frameloom.stress.gpu.frames.GraphShape.Words;
import io.frameloom.stress.gpu.frames.GraphShape.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides the transients and passes of one graph, such that no pass reads what nothing has written. One thread. */
final class RandomGraph {
    private static final int KINDS = 12;
    private static final int ATTEMPTS = 8;
    private static final int MOST_CHUNKS = 6;
    private static final int LARGEST_SHIFT = 5;
    private static final int WINDOW = 5;

    private final SplittableRandom random;
    private final DeviceTraits traits;
    private final RandomPlaces places;
    private final int kept;
    private int passes;
    private final List<Resource> resources = new ArrayList<>();
    private final DefinedContents defined = new DefinedContents();
    private final List<Step> steps = new ArrayList<>();

    RandomGraph(SplittableRandom random, DeviceTraits traits, List<? extends Resource> kept) {
        this.random = random;
        this.traits = traits;
        this.places = new RandomPlaces(random, traits);
        this.kept = kept.size();
        kept.forEach(each -> add(each, each.life() != Life.CURRENT));
    }

    private void add(Resource resource, boolean contents) {
        resources.add(resource);
        defined.add(resource, contents);
    }

    /** Returns a graph that gives all externals their first contents, a piece of the first one on each queue. */
    GraphShape first() {
        for (int i = 0; i < resources.size(); i++) {
            Resource resource = resources.get(i);
            if (resource.life() != Life.EXTERNAL && resource.life() != Life.EXCLUSIVE) {
                continue;
            }
            if (resource instanceof Texels texture) {
                add(new GraphShape.Clear(i, 0, texture.mips(), random.nextInt()));
            } else if (resource instanceof Words words) {
                int pieces = i == 0 ? traits.queues().size() : 1;
                for (int piece = 0; piece < pieces; piece++) {
                    int first = words.chunks() * piece / pieces;
                    Chunks target = new Chunks(i, first, words.chunks() * (piece + 1) / pieces - first);
                    Work fill = new GraphShape.Fill(target, random.nextInt());
                    steps.add(new Step(fill, pieces > 1 ? new Place(piece, false, false) : places.of(fill, resources)));
                }
            }
        }
        readBack();
        return new GraphShape("first", resources, steps);
    }

    /** Returns a random graph with about so many passes. */
    GraphShape graph(String name, int passes) {
        this.passes = passes;
        int transients = 4 + random.nextInt(Math.max(4, passes / 2));
        for (int i = 0; i < transients; i++) {
            String of = "transient " + i;
            add(
                    random.nextInt(5) < 2
                            ? texture(random, traits, of, Life.TRANSIENT)
                            : new Words(of, Life.TRANSIENT, 1 + random.nextInt(2 * MOST_CHUNKS), sharing(random)),
                    false);
        }
        for (int attempt = 0; steps.size() < passes && attempt < ATTEMPTS * passes; attempt++) {
            Work work = work(random.nextInt(KINDS));
            if (work != null) {
                add(work);
            }
        }
        keep();
        readBack();
        return new GraphShape(name, resources, steps);
    }

    static Texels texture(SplittableRandom random, DeviceTraits traits, String name, Life life) {
        return new Texels(
                name,
                life,
                traits.formats().get(random.nextInt(traits.formats().size())),
                1 << 3 + random.nextInt(LARGEST_SHIFT - 2),
                1 << 3 + random.nextInt(LARGEST_SHIFT - 2),
                1 + random.nextInt(3),
                1 + random.nextInt(3),
                sharing(random));
    }

    /** Returns how queue families share what is made. */
    static QueueSharing sharing(SplittableRandom random) {
        return random.nextInt(3) == 0 ? QueueSharing.EXCLUSIVE : QueueSharing.CONCURRENT;
    }

    private void add(Work work) {
        steps.add(new Step(work, places.of(work, resources)));
    }

    /** What the next frame finds comes of what this one has, in a pass that writes all of it. */
    private void keep() {
        for (int i = 0; i < resources.size(); i++) {
            if (resources.get(i) instanceof Words words && words.life() == Life.CURRENT) {
                Chunks first = source(words.chunks());
                Chunks second = source(words.chunks());
                Chunks target = new Chunks(i, 0, words.chunks());
                if (first != null && second != null && apart(first, second)) {
                    add(new GraphShape.Mix(first, second, target, random.nextInt(), false));
                }
            }
        }
    }

    private void readBack() {
        for (int i = 0; i < resources.size(); i++) {
            Life life = resources.get(i).life();
            boolean always = life == Life.EXTERNAL || life == Life.EXCLUSIVE;
            boolean sometimes = life == Life.TRANSIENT && defined.hasAll(i) && random.nextInt(3) == 0;
            if (always || sometimes) {
                add(new GraphShape.ReadBack(i));
            }
        }
    }

    private @Nullable Work work(int kind) {
        return switch (kind) {
            case 0 -> fill();
            case 1 -> copyChunks();
            case 2, 3 -> mix();
            case 4 -> paint();
            case 5 -> gather();
            case 6 -> upload();
            case 7 -> download();
            case 8 -> copyTexels();
            case 9 -> clear();
            case 10 -> render();
            default -> resolve();
        };
    }

    private @Nullable Work fill() {
        Chunks target = target(1 + random.nextInt(MOST_CHUNKS), -1, -1);
        return target == null ? null : written(target, new GraphShape.Fill(target, random.nextInt()));
    }

    private @Nullable Work copyChunks() {
        int count = 1 + random.nextInt(MOST_CHUNKS);
        Chunks source = source(count);
        Chunks target = source == null ? null : target(count, source.resource(), -1);
        return source == null || target == null ? null : written(target, new GraphShape.CopyChunks(source, target));
    }

    private @Nullable Work mix() {
        int count = 1 + random.nextInt(MOST_CHUNKS);
        Chunks first = source(count);
        Chunks second = source(count);
        if (first == null || second == null || !apart(first, second)) {
            return null;
        }
        Chunks target = target(count, first.resource(), second.resource());
        if (target == null) {
            return null;
        }
        boolean adds = random.nextBoolean() && defined.has(target);
        return written(target, new GraphShape.Mix(first, second, target, random.nextInt(), adds));
    }

    /** Two reads of one buffer are of the same bytes, or of different ones. */
    private static boolean apart(Chunks first, Chunks second) {
        return first.resource() != second.resource()
                || first.equals(second)
                || first.first() >= second.first() + second.count()
                || second.first() >= first.first() + first.count();
    }

    private @Nullable Work paint() {
        Box target = subresource(this::isStorage, false);
        Chunks source = target == null ? null : source(chunks(target));
        return target == null || source == null
                ? null
                : written(target, new GraphShape.Paint(source, target, random.nextInt()));
    }

    private @Nullable Work gather() {
        Box source = subresource(this::isStorage, true);
        Chunks target = source == null ? null : target(chunks(source), -1, -1);
        return source == null || target == null ? null : downloaded(source, target, random.nextInt(), true);
    }

    private @Nullable Work upload() {
        Box target = box(false);
        Chunks source = target == null ? null : source(chunks(target));
        return target == null || source == null ? null : written(target, new GraphShape.Upload(source, target));
    }

    private @Nullable Work download() {
        Box source = box(true);
        Chunks target = source == null ? null : target(chunks(source), -1, -1);
        return source == null || target == null ? null : downloaded(source, target, 0, false);
    }

    /** The bytes of texels may end inside of a chunk, which then has no more contents than before. */
    private Work downloaded(Box source, Chunks target, int word, boolean gathers) {
        int whole = source.texels() * texelBytes(source) / GraphShape.CHUNK;
        if (whole > 0) {
            defined.define(new Chunks(target.resource(), target.first(), whole));
        }
        return gathers ? new GraphShape.Gather(source, target, word) : new GraphShape.Download(source, target);
    }

    private @Nullable Work copyTexels() {
        Box source = box(true);
        Box place = source == null ? null : subresource(texture -> true, false);
        if (source == null || place == null || place.resource() == source.resource()) {
            return null;
        }
        Texels texture = texture(place.resource());
        int layers = texture.layers() - place.layer();
        if (texelBytes(place) != texelBytes(source)
                || layers < source.layers()
                || place.width() < source.width()
                || place.height() < source.height()) {
            return null;
        }
        int x = 2 * random.nextInt((place.width() - source.width()) / 2 + 1);
        int y = 2 * random.nextInt((place.height() - source.height()) / 2 + 1);
        Box target = new Box(
                place.resource(), place.mip(), place.layer(), source.layers(), x, y, source.width(), source.height());
        return target.isWhole(texture) || defined.has(target)
                ? written(target, new GraphShape.CopyTexels(source, target))
                : null;
    }

    private @Nullable Work clear() {
        Box some = subresource(texture -> true, false);
        if (some == null) {
            return null;
        }
        Texels texture = texture(some.resource());
        int mips = 1 + random.nextInt(texture.mips() - some.mip());
        for (int mip = some.mip(); mip < some.mip() + mips; mip++) {
            defined.define(
                    new Box(some.resource(), mip, 0, texture.layers(), 0, 0, texture.width(mip), texture.height(mip)));
        }
        return new GraphShape.Clear(some.resource(), some.mip(), mips, random.nextInt());
    }

    private @Nullable Work render() {
        Box target = subresource(texture -> true, false);
        if (target == null) {
            return null;
        }
        boolean clears = !defined.has(target) || random.nextBoolean();
        return written(target, new GraphShape.Render(target, clears, random.nextInt(), part(target), random.nextInt()));
    }

    private @Nullable Work resolve() {
        Box target = subresource(texture -> texture.format() == Format.R8G8B8A8_UNORM, false);
        if (target == null || target.mip() != 0 || target.layer() != 0 || traits.samples() == 1) {
            return null;
        }
        return written(
                target,
                new GraphShape.Resolve(target, traits.samples(), random.nextInt(), part(target), random.nextInt()));
    }

    private Work written(Chunks target, Work work) {
        defined.define(target);
        return work;
    }

    private Work written(Box target, Work work) {
        defined.define(target);
        return work;
    }

    private boolean isStorage(Texels texture) {
        return traits.storage() && texture.format() == Format.R32_UINT;
    }

    private Texels texture(int resource) {
        return (Texels) resources.get(resource);
    }

    private int texelBytes(Box box) {
        return HostModel.texelBytes(texture(box.resource()).format());
    }

    private int chunks(Box box) {
        return (box.texels() * texelBytes(box) + GraphShape.CHUNK - 1) / GraphShape.CHUNK;
    }

    /** Returns chunks with contents, or null if none were found. */
    private @Nullable Chunks source(int count) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Chunks some = chunks(count);
            if (some != null && resources.get(some.resource()).life() != Life.CURRENT && defined.has(some)) {
                return some;
            }
        }
        return null;
    }

    /** Returns chunks of a buffer other than two, or null if none were found. */
    private @Nullable Chunks target(int count, int first, int second) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Chunks some = chunks(count);
            if (some != null && some.resource() != first && some.resource() != second) {
                Life life = resources.get(some.resource()).life();
                if (life != Life.PREVIOUS && life != Life.CURRENT) {
                    return some;
                }
            }
        }
        return null;
    }

    /** Returns a resource of all frames, or a transient of those whose turn it is, so that lifetimes begin and end. */
    private int some() {
        int transients = resources.size() - kept;
        if (random.nextInt(3) == 0) {
            return random.nextInt(kept);
        }
        int turn = transients * steps.size() / passes + random.nextInt(WINDOW) - WINDOW / 2;
        return kept + Math.max(0, Math.min(transients - 1, turn));
    }

    private @Nullable Chunks chunks(int count) {
        int resource = some();
        return resources.get(resource) instanceof Words words && words.chunks() >= count
                ? new Chunks(resource, random.nextInt(words.chunks() - count + 1), count)
                : null;
    }

    /** Returns all of one mip of one layer, or null if none was found. */
    private @Nullable Box subresource(Predicate<Texels> which, boolean contents) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            int resource = some();
            if (resources.get(resource) instanceof Texels texture && which.test(texture)) {
                int mip = random.nextInt(texture.mips());
                int layer = random.nextInt(texture.layers());
                Box all = new Box(resource, mip, layer, 1, 0, 0, texture.width(mip), texture.height(mip));
                if (!contents || defined.has(all)) {
                    return all;
                }
            }
        }
        return null;
    }

    /** Returns a box of one or several layers with contents, or one that can be written, or null if none was found. */
    private @Nullable Box box(boolean contents) {
        Box one = subresource(texture -> true, contents);
        if (one == null) {
            return null;
        }
        int layers = 1 + random.nextInt(texture(one.resource()).layers() - one.layer());
        Box all = new Box(one.resource(), one.mip(), one.layer(), layers, 0, 0, one.width(), one.height());
        if (contents && !defined.has(all)) {
            return null;
        }
        return defined.has(all) && random.nextBoolean() ? part(all) : all;
    }

    /** Returns a rectangle of a box that is all of a mip; its rows are multiples of four bytes in any format. */
    private Box part(Box all) {
        int x = 2 * random.nextInt(all.width() / 2);
        int y = 2 * random.nextInt(all.height() / 2);
        int width = 2 * (1 + random.nextInt((all.width() - x) / 2));
        int height = 2 * (1 + random.nextInt((all.height() - y) / 2));
        return new Box(all.resource(), all.mip(), all.layer(), all.layers(), x, y, width, height);
    }
}
