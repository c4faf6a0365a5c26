package io.frameloom.samples.gltf;

import de.javagl.jgltf.impl.v2.Accessor;
import de.javagl.jgltf.impl.v2.AccessorSparse;
import de.javagl.jgltf.impl.v2.AccessorSparseIndices;
import de.javagl.jgltf.impl.v2.GlTF;
import de.javagl.jgltf.model.AccessorByteData;
import de.javagl.jgltf.model.AccessorData;
import de.javagl.jgltf.model.AccessorDatas;
import de.javagl.jgltf.model.AccessorFloatData;
import de.javagl.jgltf.model.AccessorIntData;
import de.javagl.jgltf.model.AccessorModel;
import de.javagl.jgltf.model.AccessorShortData;
import de.javagl.jgltf.model.BufferViewModel;
import de.javagl.jgltf.model.ElementType;
import de.javagl.jgltf.model.GltfConstants;
import de.javagl.jgltf.model.GltfModel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads accessors of every component type, strided, normalised and sparse. {@link AssetChecks} has checked their
 * extents.
 */
final class AccessorReader {
    private final GltfModel model;
    private final IdentityHashMap<AccessorModel, Accessor> declarations = new IdentityHashMap<>();

    AccessorReader(GlTF gltf, GltfModel model) {
        this.model = model;
        for (int i = 0; i < model.getAccessorModels().size(); i++) {
            declarations.put(
                    model.getAccessorModels().get(i), gltf.getAccessors().get(i));
        }
    }

    /**
     * Returns all components as floats, what is normalised as fractions.
     *
     * @param what name of the accessor for messages
     * @throws ModelException if the elements have fewer or more components, or one is no number
     */
    float[] floats(AccessorModel accessor, String what, int least, int most) throws ModelException {
        int components = accessor.getElementType().getNumComponents();
        if (components < least || components > most || accessor.getCount() < 1) {
            throw new ModelException("has a malformed " + what);
        }
        AccessorData data = data(accessor);
        float[] values = new float[accessor.getCount() * components];
        for (int i = 0; i < values.length; i++) {
            values[i] = number(data, i, accessor.isNormalized(), what);
            if (!Float.isFinite(values[i])) {
                throw new ModelException("has a value of " + what + " that is no number");
            }
        }
        return values;
    }

    /**
     * Returns whole numbers; those of 32 bits are to be taken as unsigned.
     *
     * @param what name of the accessor for messages
     * @throws ModelException if the elements are of another type, or their components have signs or are floats
     */
    int[] integers(AccessorModel accessor, String what, ElementType type) throws ModelException {
        if (accessor.getElementType() != type) {
            throw new ModelException("has " + what + " of type " + accessor.getElementType() + " instead of " + type);
        }
        int component = accessor.getComponentType();
        if (component == GltfConstants.GL_BYTE || component == GltfConstants.GL_SHORT) {
            throw new ModelException("has " + what + " with signs, which glTF does not allow");
        }
        AccessorData data = data(accessor);
        int[] values = new int[data.getTotalNumComponents()];
        for (int i = 0; i < values.length; i++) {
            values[i] = integer(data, i, what);
        }
        return values;
    }

    private AccessorData data(AccessorModel accessor) throws ModelException {
        Accessor declared = Objects.requireNonNull(declarations.get(accessor));
        AccessorSparse sparse = declared.getSparse();
        return sparse == null ? accessor.getAccessorData() : dense(accessor, declared, sparse);
    }

    /** The library leaves out the offset and the stride of what lies below the sparse values. */
    private AccessorData dense(AccessorModel accessor, Accessor declared, AccessorSparse sparse) throws ModelException {
        int size = accessor.getElementSizeInBytes();
        int count = accessor.getCount();
        ByteBuffer dense = ByteBuffer.allocate(size * count).order(ByteOrder.LITTLE_ENDIAN);
        if (declared.getBufferView() != null) {
            BufferViewModel view = model.getBufferViewModels().get(declared.getBufferView());
            int stride = view.getByteStride() == null ? size : view.getByteStride();
            ByteBuffer base = view.getBufferViewData();
            for (int i = 0; i < count; i++) {
                dense.put(i * size, base, offset(declared.getByteOffset()) + i * stride, size);
            }
        }
        AccessorSparseIndices places = sparse.getIndices();
        AccessorData indices = AccessorDatas.create(
                places.getComponentType(),
                view(places.getBufferView()),
                offset(places.getByteOffset()),
                sparse.getCount(),
                ElementType.SCALAR,
                null);
        ByteBuffer values = view(sparse.getValues().getBufferView());
        for (int i = 0; i < sparse.getCount(); i++) {
            int at = integer(indices, i, "sparse indices");
            if (at < 0 || at >= count) {
                throw new ModelException(
                        "has sparse index " + Integer.toUnsignedString(at) + " for " + count + " elements");
            }
            dense.put(at * size, values, offset(sparse.getValues().getByteOffset()) + i * size, size);
        }
        return AccessorDatas.create(accessor.getComponentType(), dense, 0, count, accessor.getElementType(), null);
    }

    private ByteBuffer view(int index) {
        return model.getBufferViewModels().get(index).getBufferViewData();
    }

    private static int offset(@Nullable Integer declared) {
        return declared == null ? 0 : declared;
    }

    private static float number(AccessorData data, int at, boolean normalized, String what) throws ModelException {
        if (data instanceof AccessorFloatData floats) {
            return floats.get(at);
        }
        int value = integer(data, at, what);
        if (data instanceof AccessorIntData) {
            throw new ModelException("has " + what + " of 32 bits, which glTF allows for indices alone");
        }
        int bits = data instanceof AccessorByteData ? 8 : 16;
        boolean unsigned = data instanceof AccessorByteData bytes
                ? bytes.isUnsigned()
                : data instanceof AccessorShortData shorts && shorts.isUnsigned();
        int one = (1 << (unsigned ? bits : bits - 1)) - 1;
        return normalized ? Math.max(-1, (float) value / one) : value;
    }

    private static int integer(AccessorData data, int at, String what) throws ModelException {
        if (data instanceof AccessorByteData bytes) {
            return bytes.getInt(at);
        }
        if (data instanceof AccessorShortData shorts) {
            return shorts.getInt(at);
        }
        if (data instanceof AccessorIntData ints) {
            return ints.get(at);
        }
        throw new ModelException("has " + what + " that are floats, which glTF does not allow");
    }
}
