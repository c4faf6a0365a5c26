package io.frameloom.rdg;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.BarrierBatch;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.RenderingInfo;
import io.frameloom.gpu.command.ResourceUse;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.Resource;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Frames of a model without the compiler: every resource has memory of its own, every pass runs on one queue, or on the host
 * when the queue is idle, after all that comes before it, and nothing is left out.
 */
final class SerialFrames implements ModelCommands.Memory, ModelHostWork.Memory, AutoCloseable {
    private final ModelDevice device;
    private final GraphModel model;
    private final boolean draws;
    private final List<Resource> memory = new ArrayList<>();
    private final List<TextureLayout[]> layouts = new ArrayList<>();

    private SerialFrames(ModelDevice device, GraphModel model, boolean draws) {
        this.device = device;
        this.model = model;
        this.draws = draws;
        for (GraphModel.Res res : model.resources()) {
            String name = switch (res.role()) {
                case PREVIOUS -> res.name() + " 0";
                case CURRENT -> res.name() + " 1";
                case PLAIN, MULTISAMPLED, PASSTHROUGH, BOTTOM_LEVEL, TOP_LEVEL -> res.name();
            };
            memory.add(res.texture() ? device.texture(res, name) : device.buffer(res, name));
            TextureLayout[] units = new TextureLayout[res.units()];
            Arrays.fill(units, res.initial());
            layouts.add(units);
        }
    }

    /** Returns what a number of frames leave behind, by resource and unit; the passes are in the order of the result. */
    static Map<String, String> run(ModelDevice device, GraphModel serial, boolean draws, int frames) {
        try (SerialFrames run = new SerialFrames(device, serial, draws)) {
            run.begin();
            for (int frame = 0; frame < frames; frame++) {
                run.frame(frame);
            }
            return run.contents();
        }
    }

    private void begin() {
        device.run(list -> {
            for (int r = 0; r < memory.size(); r++) {
                GraphModel.Res res = model.resources().get(r);
                if (res.hasContents() && res.texture()) {
                    device.fill(list, res, texture(r));
                } else if (res.hasContents() && res.role() != GraphModel.Role.PREVIOUS) {
                    device.fill(list, res, buffer(r));
                }
            }
        });
    }

    private void frame(int frame) {
        GraphModel effective = model.running().effective();
        ModelCommands commands = new ModelCommands(device.commands, model, draws);
        int count = model.passes().size();
        for (int p = 0; p < count; p++) {
            int first = p;
            while (p < count && model.passes().get(p).kind() != PassKind.HOST) {
                p++;
            }
            int end = p;
            device.run(list -> {
                for (int device = first; device < end; device++) {
                    GraphModel.Pass pass = model.passes().get(device);
                    if (pass.runs() && !(pass.builtin() && frame > 0)) {
                        pass(list, commands, device, effective.passes().get(device));
                    }
                }
            });
            if (p < count && model.passes().get(p).runs()) {
                new ModelHostWork(model).run(p, this);
            }
        }
        for (int r = 0; r < memory.size(); r++) {
            if (model.resources().get(r).role() == GraphModel.Role.CURRENT && isWritten(r)) {
                Resource former = memory.get(r - 1);
                memory.set(r - 1, memory.get(r));
                memory.set(r, former);
                TextureLayout[] layout = layouts.get(r - 1);
                layouts.set(r - 1, layouts.get(r));
                layouts.set(r, layout);
            }
        }
    }

    private boolean isWritten(int resource) {
        return model.passes().stream()
                .filter(GraphModel.Pass::runs)
                .flatMap(pass -> pass.uses().stream())
                .anyMatch(use -> use.resource() == resource && use.access().writes());
    }

    private void pass(CommandList list, ModelCommands commands, int index, GraphModel.Pass effective) {
        List<ResourceUse> uses = new ArrayList<>();
        for (GraphModel.Use use : effective.uses()) {
            uses.add(use(list, use));
        }
        list.barrier(new BarrierBatch(List.of(), List.of(), List.of(BarrierBatch.GlobalBarrier.FULL)));
        GraphModel.Pass pass = model.passes().get(index);
        list.beginPass(pass.name(), uses);
        if (pass.hasTargets()) {
            RenderingInfo info = commands.resolved(pass, commands.rendering(pass, this), this);
            list.beginRendering(info);
            if (pass.condition() != null) {
                commands.clears(pass, list, info);
            }
            commands.record(index, list, this);
            list.endRendering();
        } else {
            commands.record(index, list, this);
        }
        list.endPass();
    }

    private ResourceUse use(CommandList list, GraphModel.Use use) {
        GraphModel.Res res = model.resources().get(use.resource());
        if (!res.texture()) {
            return new ResourceUse.OfBuffer(
                    buffer(use.resource()),
                    use.mip() * (long) GraphModel.UNIT_BYTES,
                    use.mips() * (long) GraphModel.UNIT_BYTES,
                    use.access(),
                    use.discard());
        }
        TextureLayout layout = use.access().layout();
        for (int unit = 0; unit < res.units(); unit++) {
            TextureLayout[] current = layouts.get(use.resource());
            if (use.covers(res, unit) && current[unit] != layout) {
                SubresourceRange at = new SubresourceRange(
                        unit % res.mips(),
                        1,
                        unit / res.mips() % res.layers(),
                        1,
                        unit / (res.mips() * res.layers()),
                        1);
                ModelDevice.change(list, texture(use.resource()), at, current[unit], layout);
                current[unit] = layout;
            }
        }
        return new ResourceUse.OfTexture(texture(use.resource()), use.range(), use.access(), use.discard(), layout);
    }

    private Map<String, String> contents() {
        boolean[][] written = RunnableModels.written(model);
        Map<String, String> all = new TreeMap<>();
        for (int r = 0; r < memory.size(); r++) {
            GraphModel.Res res = model.resources().get(r);
            if (res.lifetime() == Lifetime.TRANSIENT
                    || res.isStructure()
                    || (res.role() == GraphModel.Role.CURRENT && isWritten(r))) {
                continue;
            }
            // What was written last has changed places with what it was read from.
            boolean swapped = res.role() == GraphModel.Role.PREVIOUS && isWritten(r + 1);
            boolean[] units = swapped ? written[r + 1] : written[r];
            try (Buffer target =
                    device.gpu.createBuffer("contents", BufferDescription.readback(ModelContents.bytes(res)))) {
                int resource = r;
                device.run(list -> {
                    if (!res.texture()) {
                        ModelContents.copy(list, res, units, buffer(resource), target);
                        return;
                    }
                    use(
                            list,
                            new GraphModel.Use(
                                    resource,
                                    0,
                                    res.mips(),
                                    0,
                                    res.layers(),
                                    0,
                                    res.planes(),
                                    Access.COPY_SRC,
                                    false,
                                    null,
                                    -1));
                    ModelContents.copy(list, res, units, texture(resource), target);
                });
                all.putAll(ModelContents.of(res, units, ModelDevice.bytes(target)));
            }
        }
        return all;
    }

    @Override
    public ByteBuffer read(int resource, long offset, int bytes) {
        return buffer(resource).mapped(offset, bytes);
    }

    @Override
    public ByteBuffer write(int resource, long offset, int bytes) {
        return buffer(resource).mapped(offset, bytes);
    }

    @Override
    public Texture texture(int resource) {
        return (Texture) memory.get(resource);
    }

    @Override
    public Buffer buffer(int resource) {
        return (Buffer) memory.get(resource);
    }

    @Override
    public void close() {
        memory.forEach(Resource::close);
    }
}
