package io.frameloom.gpu.vulkan;

import static io.frameloom.gpu.vulkan.ValidatedDevice.memory;
import static io.frameloom.gpu.vulkan.ValidatedDevice.transition;
import static io.frameloom.gpu.vulkan.ValidatedDevice.words;

import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.command.FrameContext;
import io.frameloom.gpu.command.MemoryAccess;
import io.frameloom.gpu.command.PipelineStage;
import io.frameloom.gpu.pipeline.BoundResource;
import io.frameloom.gpu.pipeline.BoundResource.SampledTexture;
import io.frameloom.gpu.pipeline.ComputePipeline;
import io.frameloom.gpu.pipeline.ComputePipelineDescription;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferDescription;
import io.frameloom.gpu.resource.BufferUsage;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.Sampler;
import io.frameloom.gpu.resource.SamplerDescription;
import io.frameloom.gpu.resource.Texture;
import io.frameloom.gpu.resource.TextureDescription;
import io.frameloom.gpu.resource.TextureLayout;
import io.frameloom.gpu.resource.TextureUsage;
import java.util.Map;
import java.util.function.Consumer;

/** A pipeline that adds a parameter to a texel, and what it takes. Its device closes everything. */
final class BindingScene {
    /** Adds a parameter of set 0 to a texel of set 1 and writes it to a buffer and an image of set 0. */
    private static final String MIX = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) uniform Parameters { float bias; };
            layout(set = 0, binding = 1) writeonly buffer Result { float result; };
            layout(set = 0, binding = 2, r32f) uniform writeonly image2D image;
            layout(set = 1, binding = 0) uniform sampler2D albedo;
            void main() {
                float sum = texture(albedo, vec2(0.5)).r + bias;
                result = sum;
                imageStore(image, ivec2(0), vec4(sum * 2));
            }
            """;

    /** Declares set 1 alike, and nothing else. */
    static final String OTHER = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) writeonly buffer Result { float result; };
            layout(set = 1, binding = 0) uniform sampler2D albedo;
            void main() { result = texture(albedo, vec2(0.5)).r; }
            """;

    static final String RESULT_ALONE = """
            #version 450
            layout(local_size_x = 1) in;
            layout(set = 0, binding = 0) writeonly buffer Result { float result; };
            void main() { result = 1; }
            """;

    private final ValidatedDevice gpu;
    final ComputePipeline mix;
    final Buffer parameters;
    final Buffer result;
    final Texture image;
    final Texture albedo;
    final Sampler sampler;

    BindingScene(ValidatedDevice gpu) {
        this.gpu = gpu;
        mix = pipeline("mix", MIX);
        parameters =
                gpu.own(gpu.device().createBuffer("parameters", BufferDescription.upload(16, BufferUsage.UNIFORM)));
        parameters.mapped().asFloatBuffer().put(0.25f);
        result = gpu.own(gpu.device()
                .createBuffer("result", BufferDescription.device(4, BufferUsage.STORAGE, BufferUsage.COPY_SRC)));
        image = gpu.own(gpu.device()
                .createTexture(
                        "image",
                        TextureDescription.of(1, 1, Format.R32_SFLOAT, TextureUsage.STORAGE, TextureUsage.COPY_SRC)));
        albedo = gpu.own(gpu.device()
                .createTexture(
                        "albedo",
                        TextureDescription.of(1, 1, Format.R32_SFLOAT, TextureUsage.SAMPLED, TextureUsage.COPY_DST)));
        sampler = gpu.device().sampler(SamplerDescription.NEAREST_CLAMP);
        Buffer texel = gpu.own(gpu.device().createBuffer("texel", BufferDescription.upload(4, BufferUsage.COPY_SRC)));
        texel.mapped().asFloatBuffer().put(0.5f);
        gpu.execute("prepare", list -> {
            list.barrier(transition(albedo, TextureLayout.UNDEFINED, TextureLayout.TRANSFER_DST));
            list.copyBufferToTexture(texel, 0, albedo, 0, 0);
            list.barrier(transition(albedo, TextureLayout.TRANSFER_DST, TextureLayout.SHADER_RO));
            list.barrier(transition(image, TextureLayout.UNDEFINED, TextureLayout.GENERAL));
        });
    }

    ComputePipeline pipeline(String name, String glsl) {
        return gpu.own(gpu.device()
                .createComputePipeline(new ComputePipelineDescription(
                        name, new ShaderSource(name + ".comp", ShaderStage.COMPUTE, glsl), null)));
    }

    void bindSetZero(CommandList list) {
        list.bindBuffer("Parameters", parameters, 0, 16);
        list.bindBuffer("Result", result, 0, 4);
        list.bindStorageTexture("image", image.view());
    }

    /** Runs what is recorded, and returns what the shader has left in the buffer and in the image. */
    float[] run(Consumer<CommandList> recorder) {
        Buffer readback = gpu.own(gpu.device().createBuffer("readback", BufferDescription.readback(8)));
        gpu.execute("run", list -> {
            recorder.accept(list);
            list.barrier(memory(
                    PipelineStage.COMPUTE_SHADER,
                    MemoryAccess.STORAGE_WRITE,
                    PipelineStage.COPY,
                    MemoryAccess.COPY_READ));
            list.barrier(transition(image, TextureLayout.GENERAL, TextureLayout.TRANSFER_SRC));
            list.copyBuffer(result, 0, readback, 0, 4);
            list.copyTextureToBuffer(image, 0, 0, readback, 4);
            list.barrier(transition(image, TextureLayout.TRANSFER_SRC, TextureLayout.GENERAL));
        });
        int[] words = words(readback);
        return new float[] {Float.intBitsToFloat(words[0]), Float.intBitsToFloat(words[1])};
    }

    /** Returns the resources of set 1. */
    Map<String, BoundResource> material() {
        return Map.of("albedo", new SampledTexture(albedo.view(), sampler));
    }

    /** Records a list that is never submitted. */
    void record(Consumer<CommandList> recorder) {
        try (FrameContext context = gpu.device().createFrameContext("not submitted")) {
            CommandList list = context.beginCommands(gpu.graphics(), "not submitted");
            recorder.accept(list);
            list.end();
        }
    }
}
