package io.frameloom.gpu.check;

import io.frameloom.gpu.check.Program.Spec;
import io.frameloom.gpu.check.Program.Touch;
import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.resource.TextureLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Passes of random programs, that read nothing that was not written. */
final class RandomPrograms {
    private static final List<Access> BUFFER = List.of(
            Access.STORAGE_READ_COMPUTE,
            Access.STORAGE_WRITE_COMPUTE,
            Access.STORAGE_READ_WRITE_COMPUTE,
            Access.STORAGE_READ_VERTEX,
            Access.UNIFORM_GRAPHICS,
            Access.VERTEX,
            Access.INDIRECT,
            Access.COPY_SRC,
            Access.COPY_DST);
    private static final List<Access> HOST = List.of(Access.HOST_READ, Access.HOST_WRITE);
    private static final List<Access> TEXTURE = List.of(
            Access.COLOR_WRITE,
            Access.COLOR_READ_WRITE,
            Access.DEPTH_READ_WRITE,
            Access.DEPTH_READ,
            Access.STENCIL_READ_WRITE,
            Access.STENCIL_READ,
            Access.SAMPLED_FRAGMENT,
            Access.SAMPLED_COMPUTE,
            Access.STORAGE_WRITE_COMPUTE,
            Access.STORAGE_READ_WRITE_COMPUTE,
            Access.COPY_SRC,
            Access.COPY_DST);

    private static final List<TextureLayout> TESTED =
            List.of(TextureLayout.DEPTH_RO, TextureLayout.DEPTH, TextureLayout.GENERAL);

    private RandomPrograms() {}

    /** Leaves out passes as long as the program still fails. */
    static List<Spec> shrunk(List<Spec> failing, Predicate<List<Spec>> fails) {
        List<Spec> current = failing;
        for (boolean smaller = true; smaller; ) {
            smaller = false;
            for (int i = 0; i < current.size() && !smaller; i++) {
                List<Spec> fewer = new ArrayList<>(current);
                fewer.remove(i);
                if (defined(fewer) && fails.test(fewer)) {
                    current = fewer;
                    smaller = true;
                }
            }
        }
        return current;
    }

    /** Returns the passes of a random program on one to three queues, with aliasing buffers and resources of one family. */
    static List<Spec> specs(SplittableRandom random) {
        Fakes.Heap heap = new Fakes.Heap();
        boolean exclusive = random.nextInt(3) == 0;
        boolean made = exclusive && random.nextBoolean();
        boolean mapped = !exclusive && random.nextBoolean();
        List<Cells> resources = List.of(
                new Cells(Fakes.mapped("low", heap, 0, 256), 0, 4, false),
                new Cells(Fakes.mapped("high", heap, 128, 256), 2, 4, false),
                made
                        ? new Cells(Fakes.exclusive("alone", 192), 10, 3, true)
                        : new Cells(alone(mapped, "alone"), 10, 3, exclusive, alone(mapped, "twin")),
                new Cells(made ? Fakes.exclusive("target", 1, 3) : Fakes.texture("target", 1, 3), 20, 3, exclusive),
                new Cells(Fakes.texture("other", 1, 1), 30, 1, random.nextBoolean()));
        int queues = 1 + random.nextInt(3);
        int passes = 3 + random.nextInt(10);
        List<Spec> specs = new ArrayList<>();
        for (int i = 0; i < passes; i++) {
            List<Touch> touches = new ArrayList<>();
            if (!specs.isEmpty() && random.nextInt(3) == 0) {
                specs.get(specs.size() - 1).touches().stream()
                        .filter(touch -> touch.group() >= 0)
                        .forEach(touches::add);
            }
            int first = random.nextInt(resources.size());
            int count = 1 + random.nextInt(3);
            for (int t = 0; t < count; t++) {
                Cells resource = resources.get((first + t * 2) % resources.size());
                int from = random.nextInt(resource.count());
                int to = from + 1 + random.nextInt(resource.count() - from);
                List<Access> menu =
                        resource.isTexture() ? TEXTURE : resource.isMapped() && random.nextInt(4) == 0 ? HOST : BUFFER;
                touches(touches, random, resource, from, to, menu.get(random.nextInt(menu.size())));
                if (!resource.isTexture() && random.nextInt(4) == 0) {
                    touches(touches, random, resource, from, to, menu.get(random.nextInt(menu.size())));
                }
            }
            Spec spec = new Spec(
                    "pass" + i,
                    random.nextInt(queues),
                    random.nextBoolean(),
                    random.nextInt(3) == 0,
                    random.nextInt(3) == 0,
                    random.nextInt(3) == 0,
                    random.nextInt(4) == 0,
                    touches);
            List<Spec> longer = new ArrayList<>(specs);
            longer.add(spec);
            if (!defined(longer)) {
                List<Touch> writes = touches.stream()
                        .map(touch -> new Touch(touch.resource(), touch.from(), touch.to(), Access.COPY_DST, -1))
                        .toList();
                spec = spec.with(writes);
            }
            specs.add(spec);
        }
        return specs;
    }

    private static Fakes.FakeBuffer alone(boolean mapped, String name) {
        return mapped ? Fakes.mapped(name, 192, 1) : Fakes.buffer(name, 192, 1, false);
    }

    /** Returns a layout in which a use may be: several if it only tests depth or stencil. */
    private static TextureLayout layout(SplittableRandom random, Access access) {
        boolean tests = access == Access.DEPTH_READ || access == Access.STENCIL_READ;
        return tests ? TESTED.get(random.nextInt(TESTED.size())) : access.layout();
    }

    /** Adds a use, unless it touches what the pass uses through another resource or in a layout. */
    private static void touches(
            List<Touch> touches, SplittableRandom random, Cells resource, int from, int to, Access access) {
        boolean unordered = !resource.isTexture()
                && access.writes()
                && access.stages() == PipelineStage.COMPUTE_SHADER.bit()
                && random.nextBoolean();
        Touch touch = new Touch(resource, from, to, access, layout(random, access), unordered ? 0 : -1);
        boolean apart = touches.stream()
                .filter(other -> resource.isTexture() || !other.resource().equals(resource))
                .noneMatch(other -> overlap(other, touch));
        if (apart) {
            touches.add(touch);
        }
    }

    private static boolean overlap(Touch first, Touch second) {
        return first.resource().id(first.from()) < second.resource().id(second.to())
                && second.resource().id(second.from()) < first.resource().id(first.to());
    }

    /** Returns whether no pass reads what nothing has written through the same resource, unless it fills that itself. */
    private static boolean defined(List<Spec> specs) {
        Map<Integer, Cells> writer = new HashMap<>();
        for (Spec spec : specs) {
            for (Touch touch : spec.touches()) {
                boolean fills = touch.access().writes() && !touch.access().reads();
                for (int cell = touch.from(); cell < touch.to() && fills; cell++) {
                    writer.put(touch.resource().id(cell), touch.resource());
                }
            }
            for (Touch touch : spec.touches()) {
                for (int cell = touch.from(); cell < touch.to(); cell++) {
                    if (touch.access().reads()
                            && !touch.resource()
                                    .equals(writer.get(touch.resource().id(cell)))) {
                        return false;
                    }
                }
            }
            for (Touch touch : spec.touches()) {
                for (int cell = touch.from();
                        cell < touch.to() && touch.access().writes();
                        cell++) {
                    writer.put(touch.resource().id(cell), touch.resource());
                }
            }
        }
        return true;
    }
}
