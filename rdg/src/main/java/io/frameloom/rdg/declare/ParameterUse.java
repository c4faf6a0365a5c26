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
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one annotation of a component means.
 *
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
        void declare(PassBuilder builder, PassDeclaration pass, Object value, String described);
    }

    /** Says how shaders of a stage use a value in a raster pass, or in another one. */
    @FunctionalInterface
    private interface ByStage {
        Access of(ShaderStage stage, boolean raster);

        default List<Access> of(List<ShaderStage> stages, boolean raster) {
            return stages.stream().map(stage -> of(stage, raster)).distinct().toList();
        }
    }

    static boolean isHandle(Class<?> type) {
        return RESOURCES.contains(type) || CONSTANTS.contains(type);
    }

    /** Returns the meaning of an annotation of a component, or null if it is none of this package. */
    static @Nullable ParameterUse of(Annotation annotation, String component) {
        if (annotation instanceof Sampled sampled) {
            return byStage(
                    "Sampled",
                    binding(sampled.binding(), component),
                    TEXTURES,
                    Mode.READ,
                    stages("Sampled", sampled.stages(), component),
                    ParameterUse::sampled);
        }
        if (annotation instanceof Storage storage) {
            Storage.Mode mode = storage.value();
            return byStage(
                    "Storage",
                    binding(storage.binding(), component),
                    RESOURCES,
                    switch (mode) {
                        case READ -> Mode.READ;
                        case READ_WRITE, WRITE -> Mode.WRITE;
                        case OVERWRITE -> Mode.OVERWRITE;
                    },
                    stages("Storage", storage.stages(), component),
                    (stage, raster) -> storage(mode, stage, raster));
        }
        if (annotation instanceof Uniform uniform) {
            return new ParameterUse(
                    "Uniform",
                    binding(uniform.binding(), component),
                    CONSTANTS,
                    (builder, pass, value, described) -> uniform(builder, pass, value));
        }
        if (annotation instanceof ColorAttachment color) {
            return color(color, component);
        }
        if (annotation instanceof DepthAttachment depth) {
            return new ParameterUse(
                    "DepthAttachment",
                    null,
                    TEXTURES,
                    (builder, pass, value, described) -> depth(pass, value, depth, described));
        }
        if (annotation instanceof StencilAttachment stencil) {
            return new ParameterUse(
                    "StencilAttachment",
                    null,
                    TEXTURES,
                    (builder, pass, value, described) -> stencil(pass, value, stencil, described));
        }
        return byAccess(annotation);
    }

    void declare(PassBuilder builder, PassDeclaration pass, Object value, String described) {
        if (!takes(value)) {
            throw new RdgException(described + " holds a " + declaredType(value).getName() + ", but @" + name
                    + " takes one of "
                    + types.stream().map(Class::getSimpleName).sorted().toList());
        }
        declaration.declare(builder, pass, value, described);
    }

    private static @Nullable ParameterUse byAccess(Annotation annotation) {
        if (annotation instanceof Reads reads) {
            return byAccess("Reads", reads.value(), Mode.READ);
        }
        if (annotation instanceof Writes writes) {
            return byAccess("Writes", writes.value(), Mode.WRITE);
        }
        if (annotation instanceof Overwrites overwrites) {
            return byAccess("Overwrites", overwrites.value(), Mode.OVERWRITE);
        }
        return null;
    }

    private static ParameterUse byAccess(String name, Access access, Mode mode) {
        return new ParameterUse(
                name, null, RESOURCES, (builder, pass, value, described) -> use(pass, value, access, mode));
    }

    /** Declares each access once that the stages have. */
    private static ParameterUse byStage(
            String name, String binding, Set<Class<?>> types, Mode mode, List<ShaderStage> stages, ByStage access) {
        List<Access> drawing = access.of(stages, true);
        List<Access> computing = access.of(stages, false);
        ShaderStage rays =
                stages.stream().filter(ShaderStage::isOfRays).findFirst().orElse(null);
        return new ParameterUse(name, binding, types, (builder, pass, value, described) -> {
            if (isRaster(pass) && rays != null) {
                throw new RdgException(described + " names stage " + rays + " in a raster pass, which has none of rays;"
                        + " name stages that draw, or make it a compute pass");
            }
            List<Access> accesses = isRaster(pass) ? drawing : computing;
            for (int i = 0; i < accesses.size(); i++) {
                use(pass, value, accesses.get(i), mode);
            }
        });
    }

    private static List<ShaderStage> stages(String name, ShaderStage[] stages, String component) {
        if (stages.length == 0) {
            throw new RdgException("@" + name + " of component '" + component + "' has no stages; name at least one");
        }
        return List.of(stages);
    }

    private static String binding(String named, String component) {
        return named.isEmpty() ? component : named;
    }

    private static boolean isRaster(PassDeclaration pass) {
        return pass.kind() == PassKind.RASTER;
    }

    private static Access sampled(ShaderStage stage, boolean raster) {
        if (raster) {
            return isOfVertices(stage) ? Access.SAMPLED_VERTEX : Access.SAMPLED_FRAGMENT;
        }
        return stage.isOfRays() ? Access.SAMPLED_RAYS : Access.SAMPLED_COMPUTE;
    }

    private static Access storage(Storage.Mode mode, ShaderStage stage, boolean raster) {
        if (raster) {
            Access reading = isOfVertices(stage) ? Access.STORAGE_READ_VERTEX : Access.STORAGE_READ_FRAGMENT;
            return mode == Storage.Mode.READ ? reading : Access.STORAGE_READ_WRITE_FRAGMENT;
        }
        boolean rays = stage.isOfRays();
        return switch (mode) {
            case READ -> rays ? Access.STORAGE_READ_RAYS : Access.STORAGE_READ_COMPUTE;
            case READ_WRITE -> rays ? Access.STORAGE_READ_WRITE_RAYS : Access.STORAGE_READ_WRITE_COMPUTE;
            case WRITE, OVERWRITE -> rays ? Access.STORAGE_WRITE_RAYS : Access.STORAGE_WRITE_COMPUTE;
        };
    }

    private static boolean isOfVertices(ShaderStage stage) {
        return stage == ShaderStage.VERTEX || stage == ShaderStage.TASK || stage == ShaderStage.MESH;
    }

    private boolean takes(Object value) {
        for (Class<?> type : types) {
            if (type.isInstance(value)) {
                return true;
            }
        }
        return false;
    }

    private static Class<?> declaredType(Object value) {
        return value instanceof RdgTexture
                ? RdgTexture.class
                : value instanceof RdgBuffer ? RdgBuffer.class : value.getClass();
    }

    private static void uniform(PassBuilder builder, PassDeclaration pass, Object value) {
        if (value instanceof RdgUniformBuffer ofFrame) {
            builder.uniforms(ofFrame);
        } else {
            use(pass, value, isRaster(pass) ? Access.UNIFORM_GRAPHICS : Access.UNIFORM_COMPUTE, Mode.READ);
        }
    }

    private static ParameterUse color(ColorAttachment color, String component) {
        double[] channels = color.clear();
        if (channels.length != 4) {
            throw new RdgException("@ColorAttachment of component '" + component + "' has a clear colour of "
                    + channels.length + " channels; name red, green, blue and alpha");
        }
        ClearColor clear = new ClearColor(channels[0], channels[1], channels[2], channels[3]);
        return new ParameterUse("ColorAttachment", null, TEXTURES, (builder, pass, value, described) -> {
            SubresourceRange range = target(value, described);
            if (color.readOnly()) {
                pass.colorInput(texture(value), range);
            } else {
                pass.color(texture(value), range, null, color.load(), clear);
            }
        });
    }

    private static void depth(PassDeclaration pass, Object value, DepthAttachment depth, String described) {
        SubresourceRange range = target(value, described);
        if (depth.readOnly()) {
            pass.depthReadOnly(texture(value), range);
        } else {
            pass.depth(texture(value), range, depth.load(), depth.clear());
        }
    }

    private static void stencil(PassDeclaration pass, Object value, StencilAttachment stencil, String described) {
        SubresourceRange range = target(value, described);
        if (stencil.readOnly()) {
            pass.stencilReadOnly(texture(value), range);
        } else {
            pass.stencil(texture(value), range, stencil.load(), stencil.clear());
        }
    }

    private static RdgTexture texture(Object value) {
        return value instanceof RdgTextureView view ? view.texture() : (RdgTexture) value;
    }

    /** Returns the one mip that an attachment is of; of a texture the first one of its first layer. */
    private static SubresourceRange target(Object value, String described) {
        if (!(value instanceof RdgTextureView view)) {
            return SubresourceRange.mip(0);
        }
        if (view.range().mipCount() != 1) {
            throw new RdgException(described + " is an attachment, but '"
                    + view.texture().name() + "' is seen with "
                    + view.range().mipCount() + " mips; take a view of one");
        }
        return view.range();
    }

    private static void use(PassDeclaration pass, Object value, Access access, Mode mode) {
        if (value instanceof RdgTexture texture) {
            SubresourceRange all = SubresourceRange.all(texture.description());
            pass.use(texture, all, access, mode, DeclaredGraph.NO_GROUP);
        } else if (value instanceof RdgTextureView view) {
            pass.use(view.texture(), view.range(), access, mode, DeclaredGraph.NO_GROUP);
        } else if (value instanceof RdgBuffer buffer) {
            pass.use(buffer, 0, buffer.description().bytes(), access, mode, DeclaredGraph.NO_GROUP);
        } else if (value instanceof RdgBufferView view) {
            pass.use(view.buffer(), view.offset(), view.bytes(), access, mode, DeclaredGraph.NO_GROUP);
        }
    }
}
