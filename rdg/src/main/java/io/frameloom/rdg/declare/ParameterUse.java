package io.frameloom.rdg.declare;

import io.frameloom.gpu.command.Access;
import io.frameloom.gpu.command.RenderingInfo.ClearColor;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.gpu.resource.SubresourceRange;
import io.frameloom.rdg.PassBuilder;
import io.frameloom.rdg.PassKind;
import io.frameloom.rdg.RdgBuffer;
import io.frameloom.rdg.RdgBufferView;
import io.frameloom.rdg.RdgException;
import io.frameloom.rdg.RdgTexture;
import io.frameloom.rdg.RdgTextureView;
import io.frameloom.rdg.RdgUniformBuffer;
import io.frameloom.rdg.parameter.ColorAttachment;
import io.frameloom.rdg.parameter.DepthAttachment;
import io.frameloom.rdg.parameter.Overwrites;
import io.frameloom.rdg.parameter.Reads;
import io.frameloom.rdg.parameter.Sampled;
import io.frameloom.rdg.parameter.StencilAttachment;
import io.frameloom.rdg.parameter.Storage;
import io.frameloom.rdg.parameter.Uniform;
import io.frameloom.rdg.parameter.Writes;
import java.lang.annotation.Annotation;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one annotation of a component means.
 *
 * @param name name of the annotation
 * @param binding name in the shader, or null if shaders do not bind it
 * @param types what such components hold
 * @param declaration declares the use of a value
 */
record ParameterUse(String name, @Nullable String binding, Set<Class<?>> types, Declaration declaration) {
    private static final Set<Class<?>> TEXTURES = Set.of(RdgTexture.class, RdgTextureView.class);
    private static final Set<Class<?>> CONSTANTS = Set.of(RdgUniformBuffer.class, RdgBuffer.class, RdgBufferView.class);
    private static final Set<Class<?>> RESOURCES =
            Set.of(RdgTexture.class, RdgTextureView.class, RdgBuffer.class, RdgBufferView.class);

    /** Declares the use of a value, which is of one of the types. */
    @FunctionalInterface
    interface Declaration {
        void declare(PassBuilder pass, PassKind kind, Object value, String described);
    }

    /** Whether and how a use writes. */
    private enum Direction {
        READ,
        WRITE,
        OVERWRITE
    }

    static boolean isHandle(Class<?> type) {
        return RESOURCES.contains(type) || CONSTANTS.contains(type);
    }

    /** Returns the meaning of an annotation of a component, or null if it is none of this package. */
    static @Nullable ParameterUse of(Annotation annotation, String component) {
        if (annotation instanceof Sampled sampled) {
            ShaderStage[] stages = stages("Sampled", sampled.stages(), component);
            return new ParameterUse(
                    "Sampled", binding(sampled.binding(), component), TEXTURES, (pass, kind, value, described) -> {
                        for (int i = 0; i < (kind == PassKind.RASTER ? stages.length : 1); i++) {
                            use(pass, value, sampledAccess(kind, stages[i]), Direction.READ);
                        }
                    });
        }
        if (annotation instanceof Storage storage) {
            ShaderStage[] stages = stages("Storage", storage.stages(), component);
            Storage.Mode mode = storage.value();
            return new ParameterUse(
                    "Storage",
                    binding(storage.binding(), component),
                    RESOURCES,
                    (pass, kind, value, described) -> storage(pass, kind, value, mode, stages));
        }
        if (annotation instanceof Uniform uniform) {
            return new ParameterUse(
                    "Uniform",
                    binding(uniform.binding(), component),
                    CONSTANTS,
                    (pass, kind, value, described) -> uniform(pass, kind, value));
        }
        if (annotation instanceof ColorAttachment color) {
            return color(color, component);
        }
        if (annotation instanceof DepthAttachment depth) {
            return new ParameterUse(
                    "DepthAttachment",
                    null,
                    TEXTURES,
                    (pass, kind, value, described) -> depth(pass, value, depth, described));
        }
        if (annotation instanceof StencilAttachment stencil) {
            return new ParameterUse(
                    "StencilAttachment",
                    null,
                    TEXTURES,
                    (pass, kind, value, described) -> stencil(pass, value, stencil, described));
        }
        return byAccess(annotation);
    }

    void declare(PassBuilder pass, PassKind kind, Object value, String described) {
        if (!takes(value)) {
            throw new RdgException(described + " holds a " + declaredType(value).getName() + ", but @" + name
                    + " takes one of "
                    + types.stream().map(Class::getSimpleName).sorted().toList());
        }
        declaration.declare(pass, kind, value, described);
    }

    private static @Nullable ParameterUse byAccess(Annotation annotation) {
        if (annotation instanceof Reads reads) {
            return byAccess("Reads", reads.value(), Direction.READ);
        }
        if (annotation instanceof Writes writes) {
            return byAccess("Writes", writes.value(), Direction.WRITE);
        }
        if (annotation instanceof Overwrites overwrites) {
            return byAccess("Overwrites", overwrites.value(), Direction.OVERWRITE);
        }
        return null;
    }

    private static ParameterUse byAccess(String name, Access access, Direction direction) {
        return new ParameterUse(
                name, null, RESOURCES, (pass, kind, value, described) -> use(pass, value, access, direction));
    }

    private static ShaderStage[] stages(String name, ShaderStage[] stages, String component) {
        if (stages.length == 0) {
            throw new RdgException("@" + name + " of component '" + component + "' has no stages; name at least one");
        }
        return stages;
    }

    private static String binding(String named, String component) {
        return named.isEmpty() ? component : named;
    }

    private static Access sampledAccess(PassKind kind, ShaderStage stage) {
        if (kind != PassKind.RASTER) {
            return Access.SAMPLED_COMPUTE;
        }
        return stage == ShaderStage.VERTEX ? Access.SAMPLED_VERTEX : Access.SAMPLED_FRAGMENT;
    }

    private static void storage(
            PassBuilder pass, PassKind kind, Object value, Storage.Mode mode, ShaderStage[] stages) {
        boolean raster = kind == PassKind.RASTER;
        switch (mode) {
            case READ -> {
                for (int i = 0; i < (raster ? stages.length : 1); i++) {
                    Access graphics =
                            stages[i] == ShaderStage.VERTEX ? Access.STORAGE_READ_VERTEX : Access.STORAGE_READ_FRAGMENT;
                    use(pass, value, raster ? graphics : Access.STORAGE_READ_COMPUTE, Direction.READ);
                }
            }
            case READ_WRITE ->
                use(
                        pass,
                        value,
                        raster ? Access.STORAGE_READ_WRITE_FRAGMENT : Access.STORAGE_READ_WRITE_COMPUTE,
                        Direction.WRITE);
            case WRITE, OVERWRITE ->
                use(
                        pass,
                        value,
                        raster ? Access.STORAGE_READ_WRITE_FRAGMENT : Access.STORAGE_WRITE_COMPUTE,
                        mode == Storage.Mode.WRITE ? Direction.WRITE : Direction.OVERWRITE);
        }
    }

    private boolean takes(Object value) {
        for (Class<?> type : types) {
            if (type.isInstance(value)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the type that the application knows of a value. */
    private static Class<?> declaredType(Object value) {
        return value instanceof RdgTexture
                ? RdgTexture.class
                : value instanceof RdgBuffer ? RdgBuffer.class : value.getClass();
    }

    private static void uniform(PassBuilder pass, PassKind kind, Object value) {
        if (value instanceof RdgUniformBuffer ofFrame) {
            pass.uniforms(ofFrame);
        } else {
            use(
                    pass,
                    value,
                    kind == PassKind.RASTER ? Access.UNIFORM_GRAPHICS : Access.UNIFORM_COMPUTE,
                    Direction.READ);
        }
    }

    private static ParameterUse color(ColorAttachment color, String component) {
        double[] channels = color.clear();
        if (channels.length != 4) {
            throw new RdgException("@ColorAttachment of component '" + component + "' has a clear colour of "
                    + channels.length + " channels; name red, green, blue and alpha");
        }
        ClearColor clear = new ClearColor(channels[0], channels[1], channels[2], channels[3]);
        return new ParameterUse("ColorAttachment", null, TEXTURES, (pass, kind, value, described) -> {
            if (value instanceof RdgTextureView view) {
                pass.color(oneMip(view, described), color.load(), clear);
            } else {
                pass.color((RdgTexture) value, color.load(), clear);
            }
        });
    }

    private static void depth(PassBuilder pass, Object value, DepthAttachment depth, String described) {
        if (value instanceof RdgTextureView view) {
            oneMip(view, described);
            if (depth.readOnly()) {
                pass.depthReadOnly(view);
            } else {
                pass.depth(view, depth.load(), depth.clear());
            }
        } else if (depth.readOnly()) {
            pass.depthReadOnly((RdgTexture) value);
        } else {
            pass.depth((RdgTexture) value, depth.load(), depth.clear());
        }
    }

    private static void stencil(PassBuilder pass, Object value, StencilAttachment stencil, String described) {
        if (value instanceof RdgTextureView view) {
            oneMip(view, described);
            if (stencil.readOnly()) {
                pass.stencilReadOnly(view);
            } else {
                pass.stencil(view, stencil.load(), stencil.clear());
            }
        } else if (stencil.readOnly()) {
            pass.stencilReadOnly((RdgTexture) value);
        } else {
            pass.stencil((RdgTexture) value, stencil.load(), stencil.clear());
        }
    }

    private static RdgTextureView oneMip(RdgTextureView view, String described) {
        if (view.range().mipCount() != 1) {
            throw new RdgException(described + " is an attachment, but '"
                    + view.texture().name() + "' is seen with "
                    + view.range().mipCount() + " mips; take a view of one");
        }
        return view;
    }

    private static void use(PassBuilder pass, Object value, Access access, Direction direction) {
        if (value instanceof RdgTexture texture) {
            SubresourceRange all = SubresourceRange.all(texture.description());
            textureUse(pass, texture, all, access, direction);
        } else if (value instanceof RdgTextureView view) {
            textureUse(pass, view.texture(), view.range(), access, direction);
        } else if (value instanceof RdgBuffer buffer) {
            bufferUse(pass, buffer, 0, buffer.description().bytes(), access, direction);
        } else if (value instanceof RdgBufferView view) {
            bufferUse(pass, view.buffer(), view.offset(), view.bytes(), access, direction);
        }
    }

    private static void textureUse(
            PassBuilder pass, RdgTexture texture, SubresourceRange range, Access access, Direction direction) {
        switch (direction) {
            case READ -> pass.reads(texture, range, access);
            case WRITE -> pass.writes(texture, range, access);
            case OVERWRITE -> pass.overwrites(texture, range, access);
        }
    }

    private static void bufferUse(
            PassBuilder pass, RdgBuffer buffer, long offset, long bytes, Access access, Direction direction) {
        switch (direction) {
            case READ -> pass.reads(buffer, offset, bytes, access);
            case WRITE -> pass.writes(buffer, offset, bytes, access);
            case OVERWRITE -> pass.overwrites(buffer, offset, bytes, access);
        }
    }
}
