package io.frameloom.gpu.shader;

import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Comparison;
import io.frameloom.gpu.pipeline.ShaderBinding.TextureType;
import io.frameloom.gpu.pipeline.SpecializationValue;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.TextureViewKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.BufferUtils;

/**
 * A compiled shader as bytes, big-endian: its reflection and the SPIR-V words. The reflection is kept with the code, so
 * that a start with a full cache does not have to find it again. Stateless.
 */
final class ShaderBinary {
    /** Part of the keys: raise it with any change of the format or of the reflection. */
    static final int FORMAT = 11;

    private ShaderBinary() {}

    static byte[] encode(CompiledShader shader) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            ShaderReflection reflection = shader.reflection();
            out.writeInt(reflection.pushConstantBytes());
            out.writeInt(reflection.recordBytes());
            out.writeInt(reflection.bindings().size());
            for (ShaderBinding binding : reflection.bindings()) {
                encode(out, binding.name());
                out.writeInt(binding.set());
                out.writeInt(binding.binding());
                out.writeByte(binding.kind().ordinal());
                out.writeBoolean(binding.written());
                out.writeInt(binding.count());
                Format format = binding.storageFormat();
                out.writeShort(format == null ? -1 : format.ordinal());
                encode(out, binding.texture());
                out.writeLong(binding.minBytes());
                out.writeInt(binding.attachment());
            }
            out.writeInt(reflection.constants().size());
            for (SpecializationConstant constant : reflection.constants()) {
                encode(out, constant.name());
                out.writeInt(constant.id());
                SpecializationValue.Type type = constant.type();
                out.writeByte(type == null ? -1 : type.ordinal());
            }
            out.writeInt(reflection.workgroup().size());
            for (WorkgroupAxis axis : reflection.workgroup()) {
                out.writeInt(axis.size());
                out.writeInt(axis.constantId());
            }
            encode(out, reflection.inputs());
            encode(out, reflection.outputs());
            out.writeInt(reflection.pairs().size());
            for (SamplerPair pair : reflection.pairs()) {
                encode(out, pair.image());
                encode(out, pair.sampler());
                out.writeByte(pair.comparison().ordinal());
            }
            encode(out, reflection.mesh());
            ByteBuffer code = shader.spirv();
            out.writeInt(code.remaining());
            while (code.hasRemaining()) {
                out.writeInt(code.getInt());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written", e);
        }
        return bytes.toByteArray();
    }

    /** SPIR-V has names of up to 262,131 bytes, more than {@link DataOutputStream#writeUTF} takes. */
    private static void encode(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        int bytes = in.readInt();
        if (bytes < 0 || bytes > in.available()) {
            throw new EOFException("a text is said to have " + bytes + " bytes, there are " + in.available());
        }
        return new String(in.readNBytes(bytes), StandardCharsets.UTF_8);
    }

    private static void encode(DataOutputStream out, @Nullable TextureType type) throws IOException {
        out.writeBoolean(type != null);
        if (type != null) {
            out.writeByte(type.kind().ordinal());
            out.writeBoolean(type.multisampled());
            out.writeByte(type.comparison().ordinal());
            out.writeByte(type.numbers().ordinal());
        }
    }

    private static @Nullable TextureType textureType(DataInputStream in) throws IOException {
        return in.readBoolean()
                ? new TextureType(
                        choice(in, TextureViewKind.values()),
                        in.readBoolean(),
                        choice(in, Comparison.values()),
                        choice(in, Format.NumericKind.values()))
                : null;
    }

    private static void encode(DataOutputStream out, List<StageVariable> variables) throws IOException {
        out.writeInt(variables.size());
        for (StageVariable variable : variables) {
            encode(out, variable.name());
            out.writeInt(variable.location());
            out.writeInt(variable.component());
            out.writeByte(variable.base().ordinal());
            out.writeInt(variable.components());
            out.writeBoolean(variable.perPrimitive());
        }
    }

    private static void encode(DataOutputStream out, @Nullable MeshOutputs mesh) throws IOException {
        out.writeBoolean(mesh != null);
        if (mesh != null) {
            out.writeInt(mesh.vertices());
            out.writeInt(mesh.primitives());
            out.writeBoolean(mesh.points());
        }
    }

    private static @Nullable MeshOutputs meshOutputs(DataInputStream in) throws IOException {
        return in.readBoolean() ? new MeshOutputs(in.readInt(), in.readInt(), in.readBoolean()) : null;
    }

    private static void encode(DataOutputStream out, SamplerPair.Part part) throws IOException {
        out.writeInt(part.set());
        out.writeInt(part.binding());
        out.writeInt(part.element());
    }

    private static SamplerPair.Part part(DataInputStream in) throws IOException {
        return new SamplerPair.Part(in.readInt(), in.readInt(), in.readInt());
    }

    /** Returns null if the bytes are not those of a shader. */
    static @Nullable CompiledShader decode(ShaderInput input, ProgramKey key, byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int pushConstantBytes = in.readInt();
            int recordBytes = in.readInt();
            List<ShaderBinding> bindings = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                bindings.add(new ShaderBinding(
                        text(in),
                        in.readInt(),
                        in.readInt(),
                        choice(in, ShaderBinding.Kind.values()),
                        in.readBoolean(),
                        in.readInt(),
                        choiceOrNull(in.readShort(), Format.values()),
                        textureType(in),
                        in.readLong(),
                        in.readInt()));
            }
            List<SpecializationConstant> constants = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                constants.add(new SpecializationConstant(
                        text(in), in.readInt(), choiceOrNull(in.readByte(), SpecializationValue.Type.values())));
            }
            List<WorkgroupAxis> workgroup = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                workgroup.add(new WorkgroupAxis(in.readInt(), in.readInt()));
            }
            List<StageVariable> inputs = variables(in);
            List<StageVariable> outputs = variables(in);
            List<SamplerPair> pairs = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                pairs.add(new SamplerPair(part(in), part(in), choice(in, Comparison.values())));
            }
            ShaderReflection reflection =
                    new ShaderReflection(
                            bindings,
                            pushConstantBytes,
                            recordBytes,
                            constants,
                            workgroup,
                            inputs,
                            outputs,
                            pairs,
                            meshOutputs(in));
            return new CompiledShader(input, code(in), reflection, key);
        } catch (IOException damaged) {
            return null;
        }
    }

    private static List<StageVariable> variables(DataInputStream in) throws IOException {
        List<StageVariable> variables = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            variables.add(new StageVariable(
                    text(in),
                    in.readInt(),
                    in.readInt(),
                    choice(in, StageVariable.Base.values()),
                    in.readInt(),
                    in.readBoolean()));
        }
        return variables;
    }

    private static <T> T choice(DataInputStream in, T[] values) throws IOException {
        T value = choiceOrNull(in.readByte(), values);
        if (value == null) {
            throw new StreamCorruptedException("there is no choice");
        }
        return value;
    }

    /** Returns the value with an ordinal; null for none, whose number is negative. */
    private static <T> @Nullable T choiceOrNull(int ordinal, T[] values) throws IOException {
        if (ordinal >= values.length) {
            throw new StreamCorruptedException("there is no choice " + ordinal);
        }
        return ordinal < 0 ? null : values[ordinal];
    }

    private static ByteBuffer code(DataInputStream in) throws IOException {
        int bytes = in.readInt();
        if (bytes < Integer.BYTES || bytes % Integer.BYTES != 0) {
            throw new StreamCorruptedException(bytes + " bytes are no SPIR-V");
        }
        if (bytes != in.available()) {
            throw new EOFException("the code has another length than it says");
        }
        ByteBuffer code = BufferUtils.createByteBuffer(bytes);
        while (code.hasRemaining()) {
            code.putInt(in.readInt());
        }
        if (code.getInt(0) != SpirvValidator.MAGIC) {
            throw new StreamCorruptedException("the code is no SPIR-V");
        }
        return code.flip();
    }
}
