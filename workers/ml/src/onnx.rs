//! Writes models in the format of ONNX (onnx.proto3 of its repository): a message of protocol buffers.

/// Opset 17 has layer normalisation as one operator.
const OPSET: i64 = 17;
const IR_VERSION: i64 = 8;

/// A message of protocol buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value > 0x7f {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    fn integer(mut self, field: u64, value: i64) -> Self {
        self.varint(field << 3);
        self.varint(value.cast_unsigned());
        self
    }

    fn float(mut self, field: u64, value: f32) -> Self {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, bytes: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend(bytes);
        self
    }

    fn text(self, field: u64, text: &str) -> Self {
        self.bytes(field, text.as_bytes())
    }

    fn message(self, field: u64, message: &Self) -> Self {
        self.bytes(field, &message.0)
    }
}

/// Types of a tensor's elements, as ONNX numbers them.
pub const FLOAT: i64 = 1;
const INT8: i64 = 3;
const INT64: i64 = 7;

/// A parameter of an operator.
pub enum Attribute<'a> {
    Float(f32),
    Integer(i64),
    Integers(&'a [i64]),
}

/// A model that is being made, operator by operator. Values are named by numbers.
#[derive(Default)]
pub struct Graph {
    message: Message,
    values: usize,
}

impl Graph {
    fn new_name(&mut self) -> String {
        self.values += 1;
        format!("v{}", self.values)
    }

    /// Adds an operator with as many outputs.
    pub fn operators<const N: usize>(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[(&str, Attribute)],
    ) -> [String; N] {
        let outputs = std::array::from_fn(|_| self.new_name());
        let names: Vec<&str> = outputs.iter().map(String::as_str).collect();
        self.node(operator, inputs, &names, attributes);
        outputs
    }

    /// Adds an operator with one output.
    pub fn operator(
        &mut self,
        operator: &str,
        inputs: &[&str],
        attributes: &[(&str, Attribute)],
    ) -> String {
        let [output] = self.operators(operator, inputs, attributes);
        output
    }

    /// Adds an operator whose outputs have these names.
    pub fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        outputs: &[&str],
        attributes: &[(&str, Attribute)],
    ) {
        let mut node = Message::default();
        node = inputs.iter().fold(node, |node, name| node.text(1, name));
        node = outputs.iter().fold(node, |node, name| node.text(2, name));
        node = node.text(4, operator);
        for (name, value) in attributes {
            let attribute = Message::default().text(1, name);
            let attribute = match value {
                Attribute::Float(value) => attribute.float(2, *value).integer(20, 1),
                Attribute::Integer(value) => attribute.integer(3, *value).integer(20, 2),
                Attribute::Integers(values) => values
                    .iter()
                    .fold(attribute, |attribute, value| attribute.integer(8, *value))
                    .integer(20, 7),
            };
            node = node.message(5, &attribute);
        }
        self.message = std::mem::take(&mut self.message).message(1, &node);
    }

    fn constant(&mut self, shape: &[usize], kind: i64, bytes: &[u8]) -> String {
        let name = self.new_name();
        let tensor =
            shape.iter().fold(Message::default(), |tensor, side| tensor.integer(1, *side as i64));
        let tensor = tensor.integer(2, kind).text(8, &name).bytes(9, bytes);
        self.message = std::mem::take(&mut self.message).message(5, &tensor);
        name
    }

    pub fn floats(&mut self, shape: &[usize], values: &[f32]) -> String {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(shape, FLOAT, &bytes)
    }

    pub fn int8s(&mut self, shape: &[usize], values: &[i8]) -> String {
        let bytes: Vec<u8> = values.iter().map(|value| value.cast_unsigned()).collect();
        self.constant(shape, INT8, &bytes)
    }

    pub fn int64s(&mut self, values: &[i64]) -> String {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(&[values.len()], INT64, &bytes)
    }

    /// The model as a file holds it, of an input and an output of floats.
    pub fn into_model(self, input: (&str, &[usize]), output: (&str, &[usize])) -> Vec<u8> {
        let value = |(name, shape): (&str, &[usize])| {
            let side = |shape: Message, side: &usize| {
                shape.message(1, &Message::default().integer(1, *side as i64))
            };
            let shape = shape.iter().fold(Message::default(), side);
            let tensor = Message::default().integer(1, FLOAT).message(2, &shape);
            Message::default().text(1, name).message(2, &Message::default().message(1, &tensor))
        };
        let graph = self.message.text(2, "encoder");
        let graph = graph.message(11, &value(input)).message(12, &value(output));
        let opset = Message::default().text(1, "").integer(2, OPSET);
        let model = Message::default().integer(1, IR_VERSION).text(2, "sizeup");
        model.message(7, &graph).message(8, &opset).0
    }
}
