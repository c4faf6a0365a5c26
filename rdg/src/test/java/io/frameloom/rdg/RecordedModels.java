package io.frameloom.rdg;

import io.frameloom.gpu.GpuDevice;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.rdg.diagnostics.RecordingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Random graphs of everything that can be declared, for a device that executes nothing; bodies tell that they are recorded. */
public final class RecordedModels implements AutoCloseable {
    private final GpuDevice device;
    private final PlanCase random;
    private final Map<String, Texture> textures = new HashMap<>();
    private final Map<String, Buffer> buffers = new HashMap<>();

    /** The graph of a seed for the queues of a device. */
    public RecordedModels(GpuDevice device, long seed, RecordingMode mode) {
        this.device = device;
        PlanCase runnable = RandomCases.runnable(seed, QueueTopology.of(device));
        random = runnable.with(runnable.options()
                .withPassLimits(1, 1 + (int) (seed % 3))
                .withDiagnostics(runnable.options().diagnostics().withRecording(mode)));
    }

    /**
     * Returns whether each frame of the graph finds the same, and the device has all that it takes: no secondary lists and no
     * acceleration structures. Nor are there passes of the host, which nobody records.
     */
    public boolean isSteady() {
        return random.model().passes().stream().noneMatch(pass -> pass.parts() > 0 || pass.kind() == PassKind.HOST)
                && random.model().resources().stream()
                        .allMatch(res -> !res.isStructure()
                                && res.role() != GraphModel.Role.PREVIOUS
                                && res.role() != GraphModel.Role.CURRENT
                                && res.lifetime() != Lifetime.EXTRACTED
                                && (!res.texture()
                                        || res.lifetime() != Lifetime.EXTERNAL
                                        || res.finalAccess() == null));
    }

    /** Compiles the graph with bodies that call {@code recorded} with the name of their pass, on the threads that record them. */
    public FramePlan compile(Consumer<String> recorded) {
        GraphModel model = random.model();
        RenderGraph graph = model.declare(new ModelDeclaration.Surroundings() {
            @Override
            public Texture texture(GraphModel.Res res) {
                return textures.computeIfAbsent(
                        res.name(),
                        name -> device.createTexture(name, ModelDeclaration.texture(res, ModelDevice.EXTENT)));
            }

            @Override
            public Buffer buffer(GraphModel.Res res) {
                return buffers.computeIfAbsent(
                        res.name(), name -> device.createBuffer(name, ModelDeclaration.buffer(res)));
            }

            @Override
            public TextureHistory textureHistory(GraphModel.Res res) {
                throw new IllegalStateException("a steady graph has no histories");
            }

            @Override
            public BufferHistory bufferHistory(GraphModel.Res res) {
                throw new IllegalStateException("a steady graph has no histories");
            }

            @Override
            public int extent() {
                return ModelDevice.EXTENT;
            }

            @Override
            public PassBody body(int pass, List<RdgResource> handles) {
                return context -> {
                    context.upload(64L * (1 + pass % 5), 16);
                    context.commands().insertLabel("pass " + pass);
                    recorded.accept(model.passes().get(pass).name());
                };
            }
        });
        return new RenderGraphCompiler(random.options()).compile(graph, random.queues(), MemorySizer.of(device));
    }

    @Override
    public void close() {
        new ArrayList<>(textures.values()).forEach(Texture::close);
        new ArrayList<>(buffers.values()).forEach(Buffer::close);
    }
}
